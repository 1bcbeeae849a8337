import { type CompletionNode, nextWords } from "./tree.ts";

/** A completion script for bash; file names are offered where nothing else fits. */
export function bashScript(nodes: readonly CompletionNode[]): string {
  const paths = nodes.filter((node) => node.path !== "").map((node) => `"${node.path}"`);
  const values = nodes.flatMap((node) =>
    node.values.map(({ option, choices }) => {
      const answer = choices.length === 0 ? "return" : `next="${choices.join(" ")}"`;
      return `    "${node.path} ${option}") ${answer} ;;`;
    })
  );
  const words = nodes.map((node) =>
    `      "${node.path}") next="${nextWords(node).map(({ word }) => word).join(" ")}" ;;`
  );
  return `# bash completion for theurian. Load it with: source <(theurian completions bash)
_theurian() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  local at="" next="" word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${at:+$at }\${COMP_WORDS[i]}"
    case "$word" in
    ${paths.join(" | ")}) at="$word" ;;
    esac
  done
  case "$at $prev" in
${values.join("\n")}
    *)
      case "$at" in
${words.join("\n")}
      esac
      ;;
  esac
  # shellcheck disable=SC2207
  COMPREPLY=($(compgen -W "$next" -- "$cur"))
}
complete -o default -F _theurian theurian
`;
}
