import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import { readServingProfile, servingProfilePath } from "./serving_profile.ts";

function inDirectory(work: (dataDirectory: string, path: string) => void): void {
  const dataDirectory = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "knowledge-profile-" }));
  try {
    Deno.mkdirSync(`${dataDirectory}/auth`, { mode: 0o700 });
    work(dataDirectory, servingProfilePath(dataDirectory));
  } finally {
    Deno.removeSync(dataDirectory, { recursive: true });
  }
}

function write(path: string, content: string | Uint8Array, mode = 0o600): void {
  Deno.writeFileSync(
    path,
    typeof content === "string" ? new TextEncoder().encode(content) : content,
  );
  Deno.chmodSync(path, mode);
}

Deno.test("readServingProfile() serves up to internal where nothing is said", () => {
  inDirectory((dataDirectory) => {
    assert.deepEqual(readServingProfile(dataDirectory), {
      ceiling: "internal",
      sensitivities: ["public", "internal"],
    });
    assert.equal(readServingProfile(`${dataDirectory}/none`).ceiling, "internal");
  });
});

Deno.test("readServingProfile() takes one word, trimmed, in any case", () => {
  inDirectory((dataDirectory, path) => {
    for (const text of ["restricted", "  Restricted\r\n", "\u3000RESTRICTED\u0085"]) {
      write(path, text);
      assert.equal(readServingProfile(dataDirectory).sensitivities.length, 4, JSON.stringify(text));
    }
    write(path, "public");
    assert.deepEqual(readServingProfile(dataDirectory).sensitivities, ["public"]);
  });
});

Deno.test("readServingProfile() refuses every other content and names path and fault", () => {
  const contents: [string | Uint8Array, RegExp][] = [
    ["", /empty/],
    [" \n", /empty/],
    ["everything", /"everything"/],
    ["\ufeffpublic", /says/],
    ["public internal", /says/],
    ["x".repeat(65), /64 bytes/],
    [new Uint8Array([0xff]), /UTF-8/],
    ["a\x1b[31m", /a\\x1b/],
  ];
  inDirectory((dataDirectory, path) => {
    for (const [content, why] of contents) {
      write(path, content);
      assert.throws(() => readServingProfile(dataDirectory), (error) => {
        assert.ok(isFault(error, "serving-profile-invalid"), String(error));
        assert.equal(error.exit, 1);
        assert.ok(error.message.includes(path));
        assert.match(error.message, why);
        return true;
      });
    }
  });
});

Deno.test("readServingProfile() refuses open modes of the file and of its directory", () => {
  inDirectory((dataDirectory, path) => {
    for (const mode of [0o644, 0o640, 0o601]) {
      write(path, "public", mode);
      assert.throws(
        () => readServingProfile(dataDirectory),
        (error) =>
          isFault(error) && error.message.includes(`0${mode.toString(8)}`) &&
          error.remedy.includes("chmod 600"),
      );
    }
    write(path, "public");
    Deno.chmodSync(`${dataDirectory}/auth`, 0o750);
    assert.throws(
      () => readServingProfile(dataDirectory),
      (error) =>
        isFault(error) && error.message.includes("0750") && error.remedy.includes("chmod 700"),
    );
  });
});

Deno.test("readServingProfile() refuses links, pipes and directories at once", () => {
  inDirectory((dataDirectory, path) => {
    const refuses = () =>
      assert.throws(
        () => readServingProfile(dataDirectory),
        (e) => isFault(e, "serving-profile-invalid"),
      );
    write(`${dataDirectory}/auth/real`, "public");
    Deno.symlinkSync("real", path);
    refuses();
    Deno.removeSync(path);
    Deno.symlinkSync("none", path);
    refuses();
    Deno.removeSync(path);
    new Deno.Command("mkfifo", { args: [path] }).outputSync();
    refuses();
    Deno.removeSync(path);
    Deno.mkdirSync(path, { mode: 0o700 });
    refuses();
  });
});
