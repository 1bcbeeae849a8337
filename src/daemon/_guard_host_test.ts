import assert from "node:assert/strict";
import { guardHost, isOwnHost, isOwnOrigin } from "./_guard_host.ts";
import type { HttpCall } from "./_http_call.ts";
import { plainText } from "./_responses.ts";

const PORT = 7419;

Deno.test("isOwnHost() knows exactly three spellings", () => {
  for (const host of ["127.0.0.1:7419", "localhost:7419", "[::1]:7419"]) {
    assert.equal(isOwnHost(host, PORT), true, host);
  }
});

const FOREIGN_HOSTS = [
  null,
  "",
  " ",
  "127.0.0.1",
  "localhost",
  "127.0.0.1:7420",
  "127.0.0.1:07419",
  "127.0.0.1:7419 ",
  "127.0.0.1:7419, 127.0.0.1:7419",
  "127.0.0.1:7419,evil.example.org",
  "127.0.0.1:7419@evil.example.org",
  "evil.example.org@127.0.0.1:7419",
  "user@localhost:7419",
  "LOCALHOST:7419",
  "Localhost:7419",
  "localhost.:7419",
  "localhost:7419.",
  "localhost.evil.example.org:7419",
  "evil.example.org",
  "evil.example.org:7419",
  "127.1:7419",
  "127.0.0.2:7419",
  "0.0.0.0:7419",
  "2130706433:7419",
  "0x7f.0.0.1:7419",
  "127.0.0.1.nip.io:7419",
  "::1:7419",
  "[::1]",
  "[::]:7419",
  "[0:0:0:0:0:0:0:1]:7419",
  "[::ffff:127.0.0.1]:7419",
  "a b",
  "127.0.0.1:7419/health",
  "127.0.0.1:7419\t",
];

for (const host of FOREIGN_HOSTS) {
  Deno.test(`isOwnHost() refuses ${JSON.stringify(host)}`, () => {
    assert.equal(isOwnHost(host, PORT), false);
  });
}

Deno.test("isOwnOrigin() lets a client without a page through, and this daemon's own origins", () => {
  for (
    const origin of [
      null,
      "",
      "http://127.0.0.1:7419",
      "http://localhost:7419",
      "http://[::1]:7419",
    ]
  ) {
    assert.equal(isOwnOrigin(origin, PORT), true, String(origin));
  }
});

const FOREIGN_ORIGINS = [
  "null",
  "https://127.0.0.1:7419",
  "https://localhost:7419",
  "http://localhost",
  "http://127.0.0.1",
  "http://127.0.0.1:7420",
  "http://127.0.0.1:7419/",
  "http://127.0.0.1:7419, http://evil.example.org",
  "HTTP://localhost:7419",
  "http://LOCALHOST:7419",
  "http://localhost.:7419",
  "https://evil.example.org",
  "http://evil.example.org:7419",
  "http://localhost:7419@evil.example.org",
  "file://",
  "chrome-extension://abcdef",
  "localhost:7419",
  "ws://localhost:7419",
  " ",
];

for (const origin of FOREIGN_ORIGINS) {
  Deno.test(`isOwnOrigin() refuses ${JSON.stringify(origin)}`, () => {
    assert.equal(isOwnOrigin(origin, PORT), false);
  });
}

Deno.test("guardHost() answers 421 before 403, and names neither value", async () => {
  const guarded = guardHost(() => PORT, () => plainText(200, "inside"));
  const call = (headers: Record<string, string>): HttpCall => ({
    method: "POST",
    path: "/mcp",
    headers: new Headers(headers),
    body: null,
  });
  const both = await guarded(
    call({ host: "evil.example.org", origin: "https://evil.example.org" }),
  );
  assert.equal(both.status, 421);
  assert.equal(both.body, "Invalid Host header");
  const page = await guarded(call({ host: "localhost:7419", origin: "https://evil.example.org" }));
  assert.equal(page.status, 403);
  assert.equal(page.body, "Invalid Origin header");
  const good = await guarded(call({ host: "localhost:7419" }));
  assert.equal(good.body, "inside");
});
