/**
 * A tool's thread that tries all it can. Is told a folder it may write below, and answers.
 *
 * @module
 */

import { tryAll } from "./permission_probe.ts";

const thread = self as unknown as {
  onmessage: (event: MessageEvent<{ inside: string; outside: string }>) => void;
  postMessage: (answer: unknown) => void;
};

thread.onmessage = async ({ data }) => {
  const inside = await tryAll(data.inside);
  const outside = await tryAll(data.outside);
  thread.postMessage({ inside, outside });
};
