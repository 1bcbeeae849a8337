/**
 * A daemon over the test tools as a process of its own: `program.ts DATA_DIRECTORY PORT`. Prints
 * `serving PORT`, then one line of JSON with how it ended; a refusal goes to stderr as JSON.
 *
 * @module
 */

import { systemClock } from "../../platform/clock.ts";
import { TheurianError } from "../../platform/errors.ts";
import { dropRights } from "../drop_rights.ts";
import { lineLog } from "../log.ts";
import { serve } from "../serve.ts";
import { TEST_RENDERING, TEST_TOOLS } from "./tools.ts";

const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
const complain = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));

try {
  const [dataDirectory = "", port = ""] = Deno.args;
  const served = await serve({
    dataDirectory,
    port: Number(port),
    version: "0.6.0",
    protocolVersion: "theurian/v1",
    clock: systemClock,
    log: lineLog(complain, systemClock),
    readGrant: (directory) => {
      const word = Deno.readTextFileSync(`${directory}/profile`).trim();
      if (word === "bad") {
        throw new TheurianError("serving-profile-invalid", "Cannot use the profile", {
          remedy: "Mend it",
        });
      }
      return { tenantId: "local", sensitivities: [word as "public"] };
    },
    loadTools: () => {
      if (Deno.readTextFileSync(`${dataDirectory}/profile`) === "restricted, broken schemas") {
        throw new TheurianError("schema-set-invalid", "Cannot use the published schemas", {
          remedy: "Reinstall theurian",
        });
      }
      return Promise.resolve({
        tools: TEST_TOOLS,
        listing: TEST_TOOLS.map(({ name }) => ({ name, inputSchema: { type: "object" } })),
        rendering: TEST_RENDERING,
        refusedBySchema: () => null,
        workerUrl: new URL("./worker.ts", import.meta.url),
      });
    },
    announce: (open) => print(`serving ${open}`),
    dropRights,
  });
  print(JSON.stringify(served));
  Deno.exit(served.exit);
} catch (error) {
  const { fault, message, remedy, exit } = error as TheurianError;
  complain(JSON.stringify({ fault, message, remedy }));
  Deno.exit(exit ?? 70);
}
