"""Drives cupel-mcp with the Python SDK: mcp_client.py CUPEL_MCP EXAMPLES. The client names the examples as its root."""

import asyncio
import pathlib
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.types import ListRootsResult, Root

CALLS = [
    ("check", {"path": "session/refund.jsonl"}, 0, "cupel.check/1"),
    ("check", {"path": "session"}, 1, "cupel.check/1"),
    ("verify", {"path": "trace/incident"}, 0, "cupel.trace/1"),
    ("verify", {"path": "evidence/tampered.ndjson", "as": "evidence"}, 1, "cupel.evidence/1"),
    ("lint", {"path": "oatf/five-faults.yaml"}, 1, "cupel.lint/1"),
    ("eval", {"document": "oatf/rug-pull-2026-03.yaml", "trace": "oatf/rug-pull-refused.jsonl"}, 0, "cupel.verdict/1"),
    ("explain", {"rule": "sequence.gap"}, 0, "cupel.rules/1"),
    ("check", {"path": "../../etc/passwd"}, 2, None),
]


async def main(program, examples):
    async def roots(*_):
        return ListRootsResult(roots=[Root(uri=pathlib.Path(examples).resolve().as_uri())])

    async with stdio_client(StdioServerParameters(command=program)) as streams:
        async with ClientSession(*streams, list_roots_callback=roots) as session:
            await session.initialize()
            names = sorted(t.name for t in (await session.list_tools()).tools)
            assert names == ["check", "eval", "explain", "lint", "verify"], names
            for tool, arguments, code, schema in CALLS:
                result = await session.call_tool(tool, arguments)
                answer = result.model_dump(by_alias=True)["structuredContent"]
                got = answer["exit"], answer.get("report", {}).get("schema")
                assert got == (code, schema), (tool, arguments, answer)
                assert all(c.text == f"exit code {code}; the report is in structuredContent" for c in result.content), result.content
    print(f"cupel-mcp: {len(CALLS)} calls with the Python SDK")


asyncio.run(main(*sys.argv[1:]))
