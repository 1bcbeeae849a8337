import { type CompletionNode, nextWords } from "./tree.ts";

/** A completion script for fish, with what each word is for. */
export function fishScript(nodes: readonly CompletionNode[]): string {
  const paths = nodes.filter((node) => node.path !== "").map((node) => quoted(node.path));
  return `# fish completion for theurian. Save it as ~/.config/fish/completions/theurian.fish
function __theurian_at
  set -l at ""
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim -- "$at $word")
    switch $longer
      case ${paths.join(" ")}
        set at $longer
    end
  end
  test "$at" = "$argv[1]"
end
complete -c theurian -f
${nodes.flatMap(lines).join("\n")}
`;
}

function lines(node: CompletionNode): string[] {
  const condition = `-n ${quoted(`__theurian_at ${quoted(node.path)}`)}`;
  const head = `complete -c theurian ${condition}`;
  return nextWords(node).map(({ word, summary }) => {
    const about = summary === "" ? "" : ` -d ${quoted(summary)}`;
    if (!word.startsWith("--")) return `${head} -a ${quoted(word)}${about}`;
    const value = node.values.find(({ option }) => option === word);
    const takes = value === undefined
      ? ""
      : value.isFile
      ? " -r -F"
      : value.choices.length > 0
      ? ` -x -a ${quoted(value.choices.join(" "))}`
      : " -x";
    return `${head} -l ${word.slice(2)}${takes}${about}`;
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
