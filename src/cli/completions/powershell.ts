import { type CompletionNode, nextWords } from "./tree.ts";

/** A completion script for PowerShell, with what each word is for. */
export function powershellScript(nodes: readonly CompletionNode[]): string {
  const entries = nodes.map((node) => {
    const words = nextWords(node).map(({ word, summary }) =>
      `@(${quoted(word)}, ${quoted(summary === "" ? word : summary)})`
    );
    return `    ${quoted(node.path)} = @(\n      ${words.join(",\n      ")}\n    )`;
  });
  const values = nodes.flatMap((node) =>
    node.values.map(({ option, choices }) =>
      `    ${quoted(`${node.path} ${option}`)} = @(${choices.map(quoted).join(", ")})`
    )
  );
  return `# PowerShell completion for theurian. Add to $PROFILE:
#   theurian completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName theurian -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $next = @{
${entries.join("\n")}
  }
  $values = @{
${values.join("\n")}
  }
  $at = ''
  $before = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $before = $element.ToString()
    $longer = "$at $before".Trim()
    if ($next.ContainsKey($longer)) { $at = $longer }
  }
  $key = "$at $before"
  if ($values.ContainsKey($key)) {
    foreach ($value in $values[$key]) {
      if ($value -like "$wordToComplete*") {
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $value)
      }
    }
    return
  }
  foreach ($entry in $next[$at]) {
    if ($entry[0] -like "$wordToComplete*") {
      [System.Management.Automation.CompletionResult]::new($entry[0], $entry[0], 'ParameterValue', $entry[1])
    }
  }
}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
