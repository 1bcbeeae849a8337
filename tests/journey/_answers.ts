/**
 * What each kind of case is compared on: a program's run, a tool's result, an HTTP answer, each
 * brought into the shape that the expectations are written in.
 *
 * @module
 */

import type { Json, JsonMap } from "./_cases.ts";
import { brief, type Difference, match } from "./_match.ts";
import type { Run } from "../../scripts/program.ts";
import { messagesOf, type WireResponse } from "./_wire.ts";

type Loose = Readonly<Record<string, unknown>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Compares a text that may be a JSON document, some other text, or nothing. */
function matchText(expected: Json | undefined, actual: string, at: string): Difference[] {
  if (expected === "text") {
    const isText = actual.trim() !== "" && parsed(actual) === undefined;
    return isText ? [] : [{ at, expected: "some text that is not JSON", actual: brief(actual) }];
  }
  if (expected === "") return match("", actual, at);
  const document = parsed(actual);
  if (document === undefined) return [{ at, expected: "a JSON document", actual: brief(actual) }];
  return match(expected ?? null, document, at);
}

/** Differences between an expectation and a command's run. */
export function compareRun(expected: JsonMap, actual: Run): Difference[] {
  const found = match(expected["exit"] ?? 0, actual.exit, "exit");
  if (found.length > 0 && actual.stderr !== "") {
    found.push({ at: "stderr (for orientation)", expected: "-", actual: brief(actual.stderr) });
  }
  return [
    ...found,
    ...matchText(expected["stdout"], actual.stdout, "stdout"),
    ...matchText(usageErrorOr(expected, actual), actual.stderr, "stderr"),
  ];
}

const ERROR_DOCUMENT: Json = { error: { $prose: 1 }, remedy: { $prose: 1 } };

/** Under `--json` a usage error may be the error document too (cli-and-plugins.md 1.2). */
function usageErrorOr(expected: JsonMap, actual: Run): Json | undefined {
  const isUsageError = expected["exit"] === 2 && expected["stderr"] === "text";
  return isUsageError && parsed(actual.stderr) !== undefined ? ERROR_DOCUMENT : expected["stderr"];
}

/** Differences between an expectation and the result of `tools/call`. */
export function compareToolResult(
  expected: JsonMap,
  message: Loose,
  sent: unknown,
): Difference[] {
  const alternatives = expected["$oneOf"] as readonly JsonMap[] | undefined;
  if (alternatives !== undefined) {
    const all = alternatives.map((one) => compareToolResult(one, message, sent));
    return all.reduce((a, b) => (b.length < a.length ? b : a));
  }
  const result = message["result"] as Loose | undefined;
  if (result === undefined) {
    return [{ at: "<message>", expected: "a result", actual: brief(message) }];
  }
  const content = (result["content"] ?? []) as readonly { type: string; text?: string }[];
  const text = content[0]?.text ?? "";
  const found = [
    ...match(expected["isError"] ?? false, result["isError"] ?? false, "isError"),
    ...match(expected["keys"] ?? [], Object.keys(result).sort(), "keys"),
    ...match(expected["contentTypes"] ?? [], content.map(({ type }) => type), "contentTypes"),
  ];
  if (expected["isError"] !== true) {
    found.push(...match(expected["structured"] ?? null, result["structuredContent"], "structured"));
    if (expected["textEqualsStructured"] === true) {
      found.push(...match(result["structuredContent"] as Json, parsed(text), "content[0].text"));
    }
  } else {
    found.push(...compareRefusal(expected, result, text, sent));
  }
  if (found.length > 0 && result["isError"] === true) {
    found.push({ at: "content[0].text (for orientation)", expected: "-", actual: brief(text) });
  }
  return found;
}

function compareRefusal(
  expected: JsonMap,
  result: Loose,
  text: string,
  sent: unknown,
): Difference[] {
  const found = match(expected["meta"] ?? null, result["_meta"], "_meta");
  found.push(...match({ $prose: 1 }, text, "content[0].text"));
  if (expected["tier"] !== "schema") return found;
  const path = String(expected["path"]);
  const constraint = String(expected["constraint"]);
  if (!text.includes(path)) {
    found.push({ at: "content[0].text", expected: `names the place ${path}`, actual: brief(text) });
  }
  const keys = keysAt(sent, path).some((key) => text.includes(key));
  const namesKeys = /^(unevaluated|additional)Properties$/.test(constraint);
  if (!text.includes(constraint) && !(namesKeys && keys)) {
    found.push({ at: "content[0].text", expected: `names ${constraint}`, actual: brief(text) });
  }
  return found;
}

function keysAt(value: unknown, path: string): readonly string[] {
  const steps = path === "<root>" ? [] : path.split("/");
  const place = steps.reduce((at, step) => (at as Loose | undefined)?.[step] as unknown, value);
  return typeof place === "object" && place !== null ? Object.keys(place) : [];
}

/** Differences between an expectation and an HTTP answer. */
export function compareResponse(expected: JsonMap, actual: WireResponse): Difference[] {
  const alternatives = expected["$oneOf"] as readonly JsonMap[] | undefined;
  if (alternatives !== undefined) {
    const all = alternatives.map((one) => compareResponse(one, actual));
    return all.reduce((a, b) => (b.length < a.length ? b : a));
  }
  const type = actual.headers.get("content-type")?.split(";")[0]?.trim() ?? null;
  const wantedType = expected["contentType"] === "$rpc"
    ? { $oneOf: ["application/json", "text/event-stream"] }
    : expected["contentType"] ?? null;
  const found = [
    ...match(expected["status"] ?? 200, actual.status, "status"),
    ...match(wantedType, type, "contentType"),
    ...match(expected["session"] ?? false, actual.headers.has("mcp-session-id"), "session"),
    ...match(
      expected["wwwAuthenticate"] ?? null,
      actual.headers.get("www-authenticate") ?? null,
      "wwwAuthenticate",
    ),
  ];
  return [...found, ...compareBody(expected["body"] ?? null, type, actual)];
}

function compareBody(expected: Json, type: string | null, actual: WireResponse): Difference[] {
  if (expected === "" || expected === "text") return matchText(expected, actual.body, "body");
  if (JSON.stringify(expected) === '{"$any":1}') return [];
  if (Array.isArray(expected)) return match(expected, messagesOf(actual) as Json, "body");
  const document = type === "text/event-stream" ? messagesOf(actual)[0] : parsed(actual.body);
  if (document === undefined) {
    return [{ at: "body", expected: brief(expected), actual: brief(actual.body) }];
  }
  return match(expected, inShapeOf(expected, document as Loose), "body");
}

/** Long results are recorded in short: the keys of a result, the key sets of listed tools. */
function inShapeOf(expected: Json, document: Loose): unknown {
  const wanted = expected as { tools?: unknown; result?: { keys?: unknown } };
  const result = document["result"] as Loose | undefined;
  if (wanted.result?.keys !== undefined && result !== undefined) {
    return { result: { isError: result["isError"] ?? null, keys: Object.keys(result).sort() } };
  }
  if (wanted.tools !== undefined && Array.isArray(result?.["tools"])) {
    const tools = result["tools"] as readonly Loose[];
    return { tools: Object.fromEntries(tools.map((tool) => [tool["name"], toolShape(tool)])) };
  }
  return document;
}

function toolShape(tool: Loose): Loose {
  const required = new Set<string>();
  const properties = new Set<string>();
  collectNames(tool["inputSchema"] as Loose, tool["inputSchema"] as Loose, required, properties);
  return {
    keys: Object.keys(tool).sort(),
    required: [...required].sort(),
    properties: [...properties].sort(),
  };
}

/** Unites `required` and `properties` over a schema and the parts it is put together from. */
function collectNames(
  schema: Loose,
  root: Loose,
  required: Set<string>,
  properties: Set<string>,
): void {
  for (const name of (schema["required"] ?? []) as readonly string[]) required.add(name);
  for (const name of Object.keys(schema["properties"] ?? {})) properties.add(name);
  for (const part of (schema["allOf"] ?? []) as readonly Loose[]) {
    collectNames(part, root, required, properties);
  }
  const reference = /^#\/\$defs\/(.+)$/.exec(String(schema["$ref"] ?? ""))?.[1];
  const target = (root["$defs"] as Loose | undefined)?.[reference ?? ""] as Loose | undefined;
  if (target !== undefined) collectNames(target, root, required, properties);
}
