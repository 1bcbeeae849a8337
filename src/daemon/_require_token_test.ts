import assert from "node:assert/strict";
import { bearerToken, isSameToken, requireToken } from "./_require_token.ts";
import { plainText } from "./_responses.ts";

const TOKEN = "k".repeat(43);

Deno.test("bearerToken() trims the credential and takes any case of the scheme", () => {
  for (
    const header of [
      `Bearer ${TOKEN}`,
      `Bearer   ${TOKEN}  `,
      `bearer ${TOKEN}\t`,
      `BEARER ${TOKEN}`,
    ]
  ) {
    assert.equal(bearerToken(header), TOKEN, header);
  }
});

Deno.test("bearerToken() finds nothing where there is no bearer credential", () => {
  for (
    const header of [
      null,
      "",
      "Bearer",
      "Bearer ",
      "Bearer    ",
      `Basic ${TOKEN}`,
      TOKEN,
      `Bearer${TOKEN}`,
      ` `,
      `Token ${TOKEN}`,
      `\u00a0Bearer ${TOKEN}`,
    ]
  ) {
    assert.equal(bearerToken(header), null, String(header));
  }
});

Deno.test("isSameToken() never matches an empty expectation", () => {
  assert.equal(isSameToken("", ""), false);
  assert.equal(isSameToken(TOKEN, ""), false);
  assert.equal(isSameToken(TOKEN, TOKEN), true);
});

const REFUSED: readonly (readonly [string, string | null])[] = [
  ["no header", null],
  ["the scheme alone", "Bearer"],
  ["another scheme", `Basic ${TOKEN}`],
  ["a wrong token", "Bearer nope"],
  ["an unexpanded variable", "Bearer ${THEURIAN_MCP_TOKEN}"],
  ["the token without its last character", `Bearer ${TOKEN.slice(0, -1)}`],
  ["the token and one character more", `Bearer ${TOKEN}k`],
  ["the token in the other case", `Bearer ${TOKEN.toUpperCase()}`],
  ["two headers joined", `Bearer ${TOKEN}, Bearer ${TOKEN}`],
  ["a quoted token", `Bearer "${TOKEN}"`],
  ["bytes beyond ASCII", "Bearer \u00ff\u00fe\u00e9"],
  ["a megabyte", `Bearer ${"k".repeat(1 << 20)}`],
];

for (const [what, header] of REFUSED) {
  Deno.test(`requireToken() answers 401 with a constant body to ${what}`, async () => {
    const guarded = requireToken(() => TOKEN, () => plainText(200, "inside"));
    const headers = new Headers(header === null ? {} : { authorization: header });
    const response = await guarded({ method: "POST", path: "/mcp", headers, body: null });
    assert.equal(response.status, 401);
    assert.equal(response.headers["www-authenticate"], "Bearer");
    const body = JSON.parse(response.body!);
    assert.deepEqual(Object.keys(body).sort(), ["detail", "error"]);
    assert.equal(body.error, "unauthorized");
    assert.match(body.detail, /THEURIAN_MCP_TOKEN.*theurian doctor/);
    assert.ok(!body.detail.includes(TOKEN));
  });
}

Deno.test("requireToken() asks for the token that counts now, for each call", async () => {
  let now: string | null = TOKEN;
  const guarded = requireToken(() => now, () => plainText(200, "inside"));
  const ask = async () =>
    (await guarded({
      method: "POST",
      path: "/mcp",
      headers: new Headers({ authorization: `Bearer ${TOKEN}` }),
      body: null,
    })).status;
  assert.equal(await ask(), 200);
  now = "n".repeat(43);
  assert.equal(await ask(), 401);
  now = null;
  assert.equal(await ask(), 401);
});
