import { type CompletionNode, type CompletionWord, nextWords } from "./tree.ts";

/** A completion script for zsh, with what each word is for. */
export function zshScript(nodes: readonly CompletionNode[]): string {
  const paths = nodes.filter((node) => node.path !== "").map((node) => quoted(node.path));
  const values = nodes.flatMap((node) =>
    node.values.map(({ option, choices, isFile }) => {
      const answer = choices.length > 0
        ? `compadd -- ${choices.map(quoted).join(" ")}`
        : isFile
        ? "_files"
        : "_message value";
      return `    ${quoted(`${node.path} ${option}`)}) ${answer}; return ;;`;
    })
  );
  const words = nodes.map((node) =>
    `    ${quoted(node.path)}) next=(${nextWords(node).map(described).join(" ")}) ;;`
  );
  return `#compdef theurian
# zsh completion for theurian. Save it as _theurian in a directory of $fpath.
_theurian() {
  local at="" word i
  local -a next
  for ((i = 2; i < CURRENT; i++)); do
    word="\${at:+$at }\${words[i]}"
    case "$word" in
    ${paths.join("|")}) at="$word" ;;
    esac
  done
  case "$at \${words[CURRENT - 1]}" in
${values.join("\n")}
  esac
  case "$at" in
${words.join("\n")}
  esac
  _describe theurian next || _files
}
if [ "\${funcstack[1]}" = "_theurian" ]; then
  _theurian "$@"
else
  compdef _theurian theurian
fi
`;
}

function described({ word, summary }: CompletionWord): string {
  return quoted(summary === "" ? word : `${word}:${summary.replaceAll(":", "\\:")}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
