"""The official Python client of either line: lists, calls, is refused.

Arguments: the endpoint, the token. Prints one line of JSON.
"""

import asyncio
import importlib.metadata
import json
import sys
from contextlib import asynccontextmanager

from mcp import ClientSession

URL, TOKEN = sys.argv[1:]
LINE = int(importlib.metadata.version("mcp").split(".")[0])


@asynccontextmanager
async def connected(token):
    headers = {"Authorization": f"Bearer {token}"}
    if LINE == 1:
        from mcp.client.streamable_http import streamablehttp_client

        async with streamablehttp_client(URL, headers=headers) as (read, write, _):
            async with ClientSession(read, write) as session:
                started = await session.initialize()
                yield session, started.serverInfo.name
    else:
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        async with httpx2.AsyncClient(headers=headers) as http:
            async with Client(streamable_http_client(URL, http_client=http)) as client:
                yield client, client.server_info.name


def plain(result):
    return json.loads(result.model_dump_json(by_alias=True, exclude_none=False))


async def main():
    async with connected(TOKEN) as (client, server):
        listed = await client.list_tools()

        async def call(name, arguments):
            return plain(await client.call_tool(name, arguments))

        query = {"projectId": "demo", "query": "retry", "limit": 2}
        found = await call("knowledge.search", query)
        report = {
            "server": server,
            "tools": [tool.name for tool in listed.tools],
            "found": found["structuredContent"],
            "bySchema": await call("knowledge.search", {"projectId": "demo"}),
            "byTool": await call("knowledge.search", {"projectId": "nowhere", "query": "retry"}),
        }
    try:
        async with connected("wrong") as _:
            report["unauthorized"] = "connected"
    except BaseException:  # The client's own choice of error is not what is under test.
        report["unauthorized"] = "refused"
    print(json.dumps(report))


asyncio.run(main())
