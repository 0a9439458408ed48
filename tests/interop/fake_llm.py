"""An OpenAI-compatible endpoint (fakellm) with rules made of script.json. It prints its address when it listens.

It streams arguments in pieces and has no CORS. Its rules look for words anywhere in a conversation, so they are shown
the turn that goes on, and how many responses it has had.
"""

import json
import os
import re
import tempfile
from pathlib import Path

from agent import serve
from peer_script import SCRIPT


def rules():
    for question in SCRIPT["questions"]:
        asked = question["asked"]
        calls = question.get("calls")
        if calls:
            when = {"messages_contain": asked}
            if not question.get("again"):
                when["header.x-round"] = "0"
            yield {"name": f"{asked}: calls", "when": when, "respond": {"tool_calls": calls}}
        if "answer" in question:
            text = re.sub(r"\{\w+\}", "…", question["answer"])
            # It cuts texts at spaces.
            content = " ".join(text) if question.get("slowly") else text
            yield {"name": f"{asked}: answer", "when": {"messages_contain": asked}, "respond": {"content": content}}
    yield {"name": "otherwise", "respond": {"content": SCRIPT["otherwise"]}}


with tempfile.TemporaryDirectory() as folder:
    config = Path(folder, "fakellm.yaml")
    config.write_text(json.dumps({"rules": list(rules())}), encoding="utf-8")
    os.environ["FAKELLM_CONFIG"] = str(config)
    from fakellm.server import app  # Reads the rules when it is imported.



async def shows_the_turn(scope, receive, send):
    """Passes requests on to fakellm with no more than the turn in them."""
    if scope["type"] != "http":
        return await app(scope, receive, send)
    body, more = b"", True
    while more:
        part = await receive()
        body, more = body + part.get("body", b""), part.get("more_body", False)
    if body:
        asked = json.loads(body)
        turn = []
        for message in reversed(asked["messages"]):
            turn.insert(0, message)
            if message["role"] == "user":
                break
        rounds = sum(message["role"] == "assistant" for message in turn)
        body = json.dumps({**asked, "messages": turn}).encode()
        scope["headers"] = [*scope["headers"], (b"x-round", str(rounds).encode())]

    async def received():
        # After the body there is only the end of the connection.
        nonlocal body
        if body is None:
            return await receive()
        part, body = {"type": "http.request", "body": body}, None
        return part

    await app(scope, received, send)


serve(shows_the_turn)
