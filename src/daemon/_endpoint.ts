import { requireAcceptable } from "./_accept.ts";
import { guardHost } from "./_guard_host.ts";
import { answerHealth, type HealthFacts } from "./health.ts";
import type { BodyHandler, Handler, HttpAnswer } from "./_http_call.ts";
import { limitBody, MAX_BODY_BYTES } from "./_limit_body.ts";
import { requireJson } from "./_require_json.ts";
import { requirePost } from "./_require_method.ts";
import { requireToken } from "./_require_token.ts";
import { plainText } from "./_responses.ts";

/** What the HTTP surface is made of. */
export interface EndpointParts {
  /** The bound port; asked for each call, since it is known only after binding. */
  readonly port: () => number;
  readonly health: HealthFacts;
  /** The token that counts now, or `null` while none does. */
  readonly token: () => string | null;
  readonly dispatch: BodyHandler;
}

/**
 * The HTTP surface: one order of checks, read from the outside in (daemon-and-setup.md 4.1). The
 * host checks stand before the body is read, so a rebinding page cannot make us buffer it.
 */
export function endpoint(parts: EndpointParts): Handler {
  const { port, dispatch } = parts;
  const health = guardHost(port, answerHealth(parts.health));
  const mcp = guardHost(
    port,
    requireJson(limitBody(MAX_BODY_BYTES, requirePost(requireAcceptable(dispatch)))),
  );
  const known = requireToken(parts.token, at("/mcp", mcp, notFound));
  return at("/health", health, known);
}

/** Routes one exact path inside, every other one past it. */
function at(path: string, inside: Handler, otherwise: Handler): Handler {
  return (call) => call.path === path ? inside(call) : otherwise(call);
}

function notFound(): HttpAnswer {
  return plainText(404, "Not found");
}
