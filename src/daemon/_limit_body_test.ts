import assert from "node:assert/strict";
import { Gate } from "./_gate.ts";
import { limitBody } from "./_limit_body.ts";
import { plainText } from "./_responses.ts";

const echo = limitBody(10, (_call, body) => plainText(200, new TextDecoder().decode(body)));

function call(chunks: readonly string[], declared?: number) {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[pulled++];
      if (chunk === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(chunk));
    },
  }, { highWaterMark: 0 });
  const headers = new Headers(declared === undefined ? {} : { "content-length": `${declared}` });
  return { call: { method: "POST", path: "/mcp", headers, body }, pulled: () => pulled };
}

Deno.test("limitBody() hands on a body of exactly the limit, declared or counted", async () => {
  const declared = await echo(call(["0123456789"], 10).call);
  assert.equal(declared.body, "0123456789");
  const counted = await echo(call(["01234", "56789"]).call);
  assert.equal(counted.body, "0123456789");
});

Deno.test("limitBody() refuses a declared length over the limit without reading a byte", async () => {
  const { call: over, pulled } = call(["0123456789a"], 11);
  const response = await echo(over);
  assert.equal(response.status, 413);
  assert.equal(response.body, "Request body too large");
  assert.equal(pulled(), 0);
});

Deno.test("limitBody() stops reading as soon as the count passes the limit", async () => {
  const { call: over, pulled } = call(["01234", "56789", "a", "never", "never"]);
  assert.equal((await echo(over)).status, 413);
  assert.equal(pulled(), 3);
});

Deno.test("limitBody() reads no body as an empty one", async () => {
  const response = await echo({ method: "GET", path: "/", headers: new Headers(), body: null });
  assert.equal(response.body, "");
});

Deno.test("limitBody() answers 400 when the client goes away in the middle", async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (c) => c.error(new Error("gone")) });
  const response = await echo({ method: "POST", path: "/", headers: new Headers(), body });
  assert.equal(response.status, 400);
});

Deno.test("limitBody() lets few large bodies in at a time, and small ones past them", async () => {
  const limits = { permits: 1, waitMs: 100, holdMs: Infinity, forgettable: 0 };
  const answers: (() => void)[] = [];
  const slow = limitBody(
    4 << 20,
    (_call, body) =>
      new Promise((resolve) => {
        if (body.length < 100) resolve(plainText(200, "small"));
        else answers.push(() => resolve(plainText(200, "large")));
      }),
    new Gate(limits),
  );
  const large = () => slow(call(["k".repeat(2 << 20)]).call);
  const [first, second] = [large(), large()];
  assert.equal((await slow(call(["tiny"]).call)).body, "small");
  assert.equal((await second).status, 503, "it waited in vain");
  const third = large();
  answers[0]!();
  assert.equal((await first).body, "large");
  while (answers.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  answers[1]!();
  assert.equal((await third).status, 200);
});
