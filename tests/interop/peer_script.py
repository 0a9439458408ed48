"""What the peers answer, read from script.json: the same for every protocol, so that the same journeys hold."""

import json
import re
from pathlib import Path

SCRIPT = json.loads(Path(__file__).with_name("script.json").read_text(encoding="utf-8"))


def question(said):
    """What the script has for what the person said; None for nothing."""
    return next((question for question in SCRIPT["questions"] if question["asked"] in said), None)


def answer(question, said, results):
    """The answer that follows the results."""
    seen = "\n".join([said, *results])

    def found(match):
        found = re.search(question["find"][match[1]], seen)
        return found[1] if found else "?"

    if "declined" in question and not re.search(question["find"]["deleted"], seen):
        return question["declined"]
    return re.sub(r"\{(\w+)\}", found, question["answer"])
