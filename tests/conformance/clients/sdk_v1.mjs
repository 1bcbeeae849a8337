// The first line of the official TypeScript client: lists, calls, is refused.
// Arguments: the package's folder, the endpoint, the token. Prints one line of JSON.

import process from "node:process";
import { pathToFileURL } from "node:url";

const [, , folder, url, token] = process.argv;
const load = (name) => import(pathToFileURL(`${folder}/dist/esm/client/${name}.js`).href);
const { Client } = await load("index");
const { StreamableHTTPClientTransport } = await load("streamableHttp");

async function connect(bearer) {
  const client = new Client({ name: "contract", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${bearer}` } },
  });
  await client.connect(transport);
  return client;
}

const client = await connect(token);
const call = (name, input) => client.callTool({ name, arguments: input });
const { tools } = await client.listTools();
const report = {
  server: client.getServerVersion().name,
  tools: tools.map((tool) => tool.name),
  found: (await call("knowledge.search", { projectId: "demo", query: "retry", limit: 2 }))
    .structuredContent,
  bySchema: await call("knowledge.search", { projectId: "demo" }),
  byTool: await call("knowledge.search", { projectId: "nowhere", query: "retry" }),
  unauthorized: await connect("wrong").then(() => "connected", () => "refused"),
};
await client.close();
console.log(JSON.stringify(report));
