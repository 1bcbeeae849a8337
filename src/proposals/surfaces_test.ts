import assert from "node:assert/strict";
import { loadMigrationSet, SENSITIVITIES } from "../knowledge/mod.ts";
import { isFault } from "../platform/errors.ts";
import { commandLineSurface, toolSurface } from "./mod.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";

const cli = (scratch: ScratchProject) =>
  commandLineSurface(loadMigrationSet(scratch.project.paths));

Deno.test("commandLineSurface() sees what is landed, applied or not, retired or restricted", () =>
  inScratchProject((scratch) => {
    scratch.add({
      "a.open": { body: "1" },
      "a.shut": { body: "2", sensitivity: "restricted" },
      "a.gone": { body: "3", status: "rejected" },
    });
    scratch.migrate({
      op: "createItem",
      itemId: "a.bare",
      kind: "domain",
      namespace: "own",
      owner: "x",
      trustLevel: "reviewed",
    });
    const surface = cli(scratch);
    assert.equal(surface.item("a.absent"), null);
    assert.equal(surface.item("a.open")!.retired, false);
    assert.equal(surface.item("a.shut")!.sensitivity, "restricted");
    assert.equal(surface.item("a.gone")!.retired, true);
    assert.deepEqual(surface.item("a.bare"), {
      retired: false,
      currentRevisionId: null,
      namespace: "own",
      trustLevel: "reviewed",
      sensitivity: "internal",
    });
  }));

Deno.test("commandLineSurface() asks a set that does not replay about its own items only", () =>
  inScratchProject((scratch) => {
    scratch.add({ "a.known": { body: "1" } });
    scratch.migrate({ op: "changeOwner", itemId: "no.such", owner: "x" });
    const surface = cli(scratch);
    assert.equal(surface.item("a.absent"), null);
    assert.throws(() => surface.item("a.known"), (error) => {
      return isFault(error, "invalid-input") && error.remedy.includes("migrations");
    });
  }));

Deno.test("toolSurface() takes what is withheld for absent, whatever withholds it", () =>
  inScratchProject(async (scratch) => {
    scratch.add({
      "a.open": { body: "1" },
      "a.shut": { body: "2", sensitivity: "confidential" },
      "a.gone": { body: "3", status: "rejected" },
    });
    await scratch.apply();
    scratch.add({ "a.landed": { body: "4" } });
    using reader = scratch.reader();
    const surface = toolSurface(reader, ["public", "internal"]);
    for (const itemId of ["a.absent", "a.shut", "a.gone", "a.landed"]) {
      assert.equal(surface.item(itemId), null, itemId);
    }
    assert.equal(surface.item("a.open")!.namespace, "n");
    const whole = toolSurface(reader, SENSITIVITIES);
    assert.equal(whole.item("a.shut")!.sensitivity, "confidential");
    assert.equal(whole.item("a.gone"), null);
  }));
