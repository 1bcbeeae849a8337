/**
 * A tool of each lane, for tests of what surrounds them.
 *
 * @module
 */

import type { Tool } from "../../mcp/tool.ts";
import { TheurianError } from "../../platform/errors.ts";
import type { JsonObject } from "../../platform/json.ts";
import type { Rendering } from "../_worker_protocol.ts";

const shape = {
  title: "Test",
  description: "A tool of the tests",
  inputSchema: "",
  outputSchema: null,
};

function wait(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Answers with what it was given and says where it ran. */
export const ECHO: Tool = {
  ...shape,
  name: "test.echo",
  lane: "read",
  check: (input) => input,
  answer: (call, context) => ({ given: call, served: [...context.grant.sensitivities] }),
};

/** Blocks its thread for `milliseconds`, then until a file is there; refuses a blank query first. */
export const SLOW: Tool = {
  ...shape,
  name: "test.slow",
  lane: "gated",
  check: (input) => {
    if (input["query"] === "") {
      throw new TheurianError("invalid-input", "Cannot search: the query is blank", {
        remedy: "Give a query",
        wireCode: "INVALID_INPUT",
      });
    }
    return { milliseconds: input["milliseconds"] ?? 0, until: input["until"] ?? null };
  },
  answer: (call) => {
    wait(Number(call["milliseconds"]));
    // A test that must not depend on the machine's speed holds the thread by a file.
    for (let turn = 0; call["until"] !== null && turn < 6000; turn++) {
      if (exists(String(call["until"]))) break;
      wait(5);
    }
    return { slept: call["milliseconds"] ?? 0 };
  },
};

/** A second heavy tool with permits of its own. */
export const OTHER_SLOW: Tool = { ...SLOW, name: "test.otherSlow" };

/** Fails in every way a tool can. */
export const BROKEN: Tool = {
  ...shape,
  name: "test.broken",
  lane: "read",
  check: (input) => input,
  answer: (call) => {
    if (call["how"] === "die") setTimeout(() => reportError(new Error("thread fell over")));
    if (call["how"] === "die") return new Promise<JsonObject>(() => {});
    throw new Error(`a secret value: ${call["secret"]}`);
  },
};

/** Tries what a thread must not do, and says what was refused. */
export const REACH: Tool = {
  ...shape,
  name: "test.reach",
  lane: "draft",
  check: (input) => input,
  answer: (call) => {
    const tries: Record<string, () => unknown> = {
      net: () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
      run: () => new Deno.Command("true").outputSync(),
      env: () => Deno.env.get("HOME"),
      sys: () => Deno.hostname(),
      read: () => Deno.readTextFileSync(String(call["path"])),
      write: () => Deno.writeTextFileSync(String(call["path"]), "written"),
    };
    const refused = Object.keys(tries).filter((name) => {
      try {
        tries[name]!();
        return false;
      } catch (error) {
        return error instanceof Deno.errors.NotCapable;
      }
    });
    return { refused };
  },
};

export const TEST_TOOLS: readonly Tool[] = [ECHO, SLOW, OTHER_SLOW, BROKEN, REACH];

/** The wire shapes of decision 17, as the tests need them. */
export const TEST_RENDERING: Rendering = {
  resultOf: (payload) => ({
    content: [{ type: "text", text: JSON.stringify(payload, null, 2) }],
    structuredContent: payload,
    isError: false,
  }),
  refusalOf: (error) => {
    const fault = error as TheurianError;
    return {
      content: [{ type: "text", text: `${fault.message}. ${fault.remedy}` }],
      isError: true,
      _meta: {
        "dev.theurian/error": {
          code: fault.wireCode,
          details: fault.details,
          retryAfterSeconds: fault.retryAfterSeconds,
        },
      },
    };
  },
};
