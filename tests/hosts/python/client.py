"""The component's MCP server, asked by the client of the Python SDK: python client.py PROJECT HOST WASM

PROJECT is as `tests/tests/mcp` makes it, HOST is `huddle-host`.
"""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.subscriptions import ResourceUpdated
from mcp.shared.exceptions import MCPError

PATIENCE = 60


def same(found, wanted, where=None):
    """Compares, and says what was found."""
    assert found == wanted, f"found {found!r}, wanted {wanted!r} in {where!r}"


def at(document, path):
    """Goes into a document by names and numbers with dots between them."""
    for part in path.split("."):
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


async def call_every_tool(client):
    """Makes the calls that both clients make, and gives what was kept of the answers."""
    kept = {}

    def filled(value):
        if isinstance(value, dict):
            return {name: filled(inner) for name, inner in value.items()}
        return kept[value[1:]] if isinstance(value, str) and value.startswith("$") else value

    calls = json.loads((Path(__file__).parent.parent / "mcp-calls.json").read_text())
    listed = {tool.name for tool in (await client.list_tools()).tools}
    same({call["tool"] for call in calls}, listed)
    for call in calls:
        result = await client.call_tool(call["tool"], filled(call["arguments"]))
        answer = json.loads(result.content[0].text)
        where = (call, answer)
        same(result.is_error, "failure" in call, where)
        # What is structured has to fit the schema of answers, which no failure does.
        same(result.structured_content, None if result.is_error else answer, where)
        if result.is_error:
            same(answer["error"]["kind"], call["failure"], where)
            continue
        for path, wanted in call["answer"].items():
            same(at(answer, path), filled(wanted), where)
        for name, path in call.get("keep", {}).items():
            kept[name] = at(answer, path)
    return kept


async def read_resources(client, kept):
    """Reads one resource of each kind."""
    listed = {resource.uri for resource in (await client.list_resources()).resources}
    thread = f"huddle://thread/{kept['thread']}"
    assert {"huddle://inbox", thread, "huddle://context/notes", "huddle://session/job"} <= listed, listed
    templates = {template.uri_template for template in (await client.list_resource_templates()).resource_templates}
    same(templates, {f"huddle://{kind}" for kind in ["message/{id}", "thread/{id}", "context/{name}", "session/{id}"]})

    async def read(uri):
        return (await client.read_resource(uri)).contents[0]

    for uri in listed:
        assert (await read(uri)).text
    same(json.loads((await read(f"huddle://message/{kept['question']}")).text)["from"], "bob")
    context = await read("huddle://context/notes")
    assert context.mime_type == "text/markdown" and "Port 8080." in context.text, context
    try:
        await read("huddle://message/nothing")
    except MCPError as error:
        assert error.code in (-32602, -32002), error
    else:
        raise AssertionError("what is not there was read")


async def read_prompts(client):
    """Gets each prompt."""
    for prompt in (await client.list_prompts()).prompts:
        arguments = {argument.name: "bob" for argument in prompt.arguments or []}
        assert (await client.get_prompt(prompt.name, arguments)).messages[0].content.text, prompt


async def main(project, host, wasm):
    def command(*arguments, agent):
        return [host, "run", "--dir", f"{project}::.", "--env", f"HUDDLE_AGENT={agent}", wasm, *arguments]

    def poke():
        """Has another guest send something."""
        subprocess.run(command("send", "alice", "News", agent="bob"), check=True, stdout=subprocess.DEVNULL)

    told = asyncio.Queue()

    async def hear(message):
        if isinstance(message, types.ResourceUpdatedNotification):
            await told.put(message.params.uri)

    program, *arguments = command("mcp", agent="alice")
    server = StdioServerParameters(command=program, args=arguments)

    async with Client(server, mode="auto", read_timeout_seconds=PATIENCE) as client:
        same(client.session.protocol_version, "2026-07-28")
        kept = await call_every_tool(client)
        await read_resources(client, kept)
        await read_prompts(client)
        async with client.listen(resource_subscriptions=["huddle://inbox"]) as news:
            poke()
            event = await asyncio.wait_for(anext(aiter(news)), PATIENCE)
            same(event, ResourceUpdated(uri="huddle://inbox"))

    async with Client(server, mode="legacy", read_timeout_seconds=PATIENCE, message_handler=hear) as client:
        same(client.session.protocol_version, "2025-11-25")
        await read_resources(client, kept)
        await read_prompts(client)
        await client.subscribe_resource("huddle://inbox")
        poke()
        same(await asyncio.wait_for(told.get(), PATIENCE), "huddle://inbox")
        await client.unsubscribe_resource("huddle://inbox")

    print("ok")


asyncio.run(main(*sys.argv[1:]))
