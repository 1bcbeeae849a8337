import assert from "node:assert/strict";
import { Gate, GATE_LIMITS } from "./_gate.ts";

function gateAt(waitMs = 20) {
  const clock = { now: 0 };
  return { clock, gate: new Gate({ ...GATE_LIMITS, waitMs }, () => clock.now) };
}

Deno.test("Gate gives four permits and refuses the fifth after its wait", async () => {
  const { gate } = gateAt();
  for (let i = 0; i < 4; i++) assert.notEqual(gate.tryAcquire(), null);
  assert.equal(gate.tryAcquire(), null);
  const before = performance.now();
  assert.equal(await gate.acquire(), null);
  assert.ok(performance.now() - before >= 18);
});

Deno.test("Gate hands a released permit to the first in the queue", async () => {
  const { gate } = gateAt(1000);
  const held = [1, 2, 3, 4].map(() => gate.tryAcquire()!);
  const order: number[] = [];
  const first = gate.acquire().then((permit) => (order.push(1), permit));
  const second = gate.acquire().then((permit) => (order.push(2), permit));
  assert.equal(gate.tryAcquire(), null);
  held[0]!.release();
  held[1]!.release();
  assert.notEqual(await first, null);
  assert.notEqual(await second, null);
  assert.deepEqual(order, [1, 2]);
  assert.equal(gate.outstanding, 4);
});

Deno.test("Gate frees a permit once, however often it is released", () => {
  const { gate } = gateAt();
  const held = [1, 2, 3, 4].map(() => gate.tryAcquire()!);
  held[0]!.release();
  held[0]!.release();
  assert.notEqual(gate.tryAcquire(), null);
  assert.equal(gate.tryAcquire(), null);
});

Deno.test("Gate stops counting a hold after thirty seconds; its late release frees nothing", () => {
  const { clock, gate } = gateAt();
  const stuck = [1, 2, 3, 4].map(() => gate.tryAcquire()!);
  clock.now = 30_000;
  assert.equal(gate.tryAcquire(), null);
  clock.now = 30_001;
  for (let i = 0; i < 4; i++) assert.notEqual(gate.tryAcquire(), null);
  assert.equal(gate.tryAcquire(), null);
  for (const permit of stuck) permit.release();
  assert.equal(gate.tryAcquire(), null);
  assert.equal(gate.outstanding, 4);
});

Deno.test("Gate never lets nine stuck calls take more than eight places", () => {
  const { clock, gate } = gateAt();
  let granted = 0;
  for (let round = 0; round < 6; round++) {
    while (gate.tryAcquire() !== null) granted++;
    clock.now += 30_001;
  }
  assert.equal(granted, 8);
  assert.equal(gate.outstanding, 8);
});

Deno.test("Gate forgets further holds once forgotten ones came back", () => {
  const { clock, gate } = gateAt();
  const first = [1, 2, 3, 4].map(() => gate.tryAcquire()!);
  clock.now = 30_001;
  for (let i = 0; i < 4; i++) assert.notEqual(gate.tryAcquire(), null);
  clock.now = 60_002;
  assert.equal(gate.tryAcquire(), null);
  first[0]!.release();
  assert.notEqual(gate.tryAcquire(), null);
});

Deno.test("Gate serves a waiting caller when a hold grows overdue during the wait", async () => {
  const clock = { now: 0 };
  const gate = new Gate(
    { ...GATE_LIMITS, holdMs: 30, waitMs: 500 },
    () => performance.now() - clock.now,
  );
  for (let i = 0; i < 4; i++) assert.notEqual(gate.tryAcquire(), null);
  assert.notEqual(await gate.acquire(), null);
});
