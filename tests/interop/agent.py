"""An AG-UI agent (pydantic-ai) whose model answers as script.json says. It prints its address when it listens.

It has two tools of its own: one that it runs at once, and one for which it asks the person first.
"""

import asyncio
import json
import socket

import uvicorn
from peer_script import SCRIPT, answer, question
from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelResponse, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route


def written(content):
    """A tool's result as the page wrote it."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, separators=(",", ":"))


async def model(messages, info):
    parts = [part for message in messages for part in message.parts]
    # What answers a question of the agent's own begins no turn.
    asked = [at for at, part in enumerate(parts) if isinstance(part, UserPromptPart) and question(part.content)]
    if not asked:
        yield SCRIPT["otherwise"]
        return
    said, turn = parts[asked[-1]].content, parts[asked[-1] + 1 :]
    scripted = question(said)
    results = [written(part.content) for part in turn if isinstance(part, ToolReturnPart)]
    if scripted.get("calls") and (not results or scripted.get("again")):
        if scripted.get("says"):
            yield scripted["says"]
        rounds = sum(isinstance(message, ModelResponse) for message in messages)
        for index, call in enumerate(scripted["calls"]):
            arguments = json.dumps(call["arguments"], ensure_ascii=False)
            yield {index: DeltaToolCall(name=call["name"], json_args="", tool_call_id=f"call_{rounds}_{index}")}
            for at in range(0, len(arguments), 3):
                yield {index: DeltaToolCall(json_args=arguments[at : at + 3])}
        return
    text = answer(scripted, said, results)
    for at in range(0, len(text), 2):
        yield text[at : at + 2]
        if scripted.get("slowly"):
            await asyncio.sleep(0.06)


agent = Agent(FunctionModel(stream_function=model), output_type=[str, DeferredToolRequests])


@agent.tool_plain(requires_approval=True)
def delete_notes(lesson: int) -> str:
    return f"3 notes deleted in lesson {lesson}"


async def run(request):
    return await AGUIAdapter.dispatch_request(request, agent=agent)


app = Starlette(
    routes=[Route("/", run, methods=["POST"])],
    middleware=[Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"])],
)


def serve(app):
    """Serves at a free port, and says where."""
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


if __name__ == "__main__":
    serve(app)
