/**
 * Which scenarios of the official suite hold for a server that offers tools and nothing else.
 *
 * @module
 */

/** Every check of these must hold. */
export const APPLYING: readonly string[] = [
  "caching",
  "dns-rebinding-protection",
  "http-header-validation",
  "input-required-result-ignore-extra-params",
  "input-required-result-missing-input-response",
  "input-required-result-unsupported-methods",
  "input-required-result-validate-input",
  "ping",
  "sep-2164-resource-not-found",
  "server-initialize",
  "server-session-lifecycle",
  "server-sse-multiple-streams",
  "server-sse-polling",
  "server-stateless",
  "tools-call-error",
  "tools-list",
];

/** Checks of an applying scenario that ask for what we do not offer, and why each may fail. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "sep-2549-prompts-list-caching-hints": "no prompts are offered",
  "sep-2549-resources-list-caching-hints": "no resources are offered",
  "sep-2549-resources-templates-list-caching-hints": "no resources are offered",
  "sep-2575-missing-capability-http-400": "calls a diagnostic tool of the suite's own server",
  "sep-2575-server-rejects-undeclared-capability":
    "calls a diagnostic tool of the suite's own server",
};

/** Scenarios that ask for what we do not offer, and why. Their answers must still fit the schema. */
export const OUTSIDE: readonly (readonly [RegExp, string])[] = [
  [/^(?:prompts|resources)-/, "no prompts and no resources are offered"],
  [/^(?:completion-complete|logging-set-level)$/, "no completion and no logging is offered"],
  [/^elicitation-/, "nothing is asked of a client"],
  [/^tools-call-(?:simple-text|image|audio|embedded-resource|mixed-content)$/, "a tool of its own"],
  [/^tools-call-(?:with-logging|with-progress|sampling|elicitation)$/, "a tool of its own"],
  [/^(?:json-schema-2020-12|http-custom-header-server-validation)$/, "a tool of its own"],
  [/^input-required-result-/, "no tool asks a client for more"],
  [/^tasks-/, "no tasks are offered"],
  [/^sep-2640-skills-/, "no skills are offered"],
];
