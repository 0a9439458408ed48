"""An OpenAI-compatible endpoint (fakellm) with rules made of script.json. It prints its address when it listens.

It streams arguments in pieces, has no CORS and knows only rules: the proxy before it says in `x-round` how many
responses the turn has had.
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

serve(app)
