const ITEM_ID = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
const LONGEST_ITEM_ID = 200;

/** True for a dotted item id of 1 to 200 characters (retrieval.md 8.3, proposals.md 3.1). */
export function isItemId(text: string): boolean {
  return text.length <= LONGEST_ITEM_ID && ITEM_ID.test(text);
}
