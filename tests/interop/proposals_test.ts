import { playInterop } from "./proposals.ts";

const peer = Deno.env.get("THEURIAN_PEER");

Deno.test({
  name: peer === undefined
    ? "interop of proposals was not run: THEURIAN_PEER names no other implementation"
    : "proposals go both ways between two implementations and give one state hash",
  ignore: peer === undefined,
  fn: () => playInterop(peer!, () => {}),
});
