/**
 * A remote's address without what was put into it to sign in: it is stored, published over MCP and
 * committed in source anchors. The account of an SSH address is part of the address and stays.
 */
export function publicRepositoryUrl(url: string | null): string {
  return (url ?? "").replace(/^(https?:\/\/)[^/?#]*@/i, "$1");
}
