"""Every method of the engine, called through a published SDK of the protocol.

Run by `make test-clients`, once for each version of the SDK; TEST_ENGINE names the engine.
What an SDK has no function for goes through its send_request.
"""

import asyncio
import http.server
import json
import os
import threading

import pytest
from attest._proto.codec import ProtocolError
from attest._proto.types import Assertion
from attest.client import AttestClient
from attest.engine_manager import EngineManager
from attest.trace import TraceBuilder

ENGINE = os.environ["TEST_ENGINE"]


class Model(http.server.BaseHTTPRequestHandler):
    """A service of models: every judge scores 0.9, every text has the same vector."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        if self.path.endswith("/embeddings"):
            texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
            data = [{"object": "embedding", "index": i, "embedding": [0.6, 0.8]} for i in range(len(texts))]
            reply = {"object": "list", "model": body["model"], "data": data, "usage": usage}
        else:
            judged = "response_format" in body
            text = json.dumps({"score": 0.9, "explanation": "Good."}) if judged else "Where is my refund?"
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            reply = {"id": "1", "object": "chat.completion", "model": body["model"], "choices": [choice], "usage": usage}
        answer = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def models():
    """The address of a service of models."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


def trace(trace_id="trc_1"):
    return (
        TraceBuilder(agent_id="agent")
        .set_trace_id(trace_id)
        .set_input(user_message="refund, please")
        .add_tool_call("lookup_order", args={"order": 1}, result={"status": "delivered"})
        .set_output(message="Your refund is done.")
        .set_metadata(total_tokens=10, cost_usd=0.001, latency_ms=5, model="m")
        .build()
    )


def contains(word, assertion_id="a1"):
    spec = {"target": "output.message", "check": "contains", "value": word}
    return Assertion(assertion_id=assertion_id, type="content", spec=spec)


def diagnostics(client):
    """What the client could not route; older SDKs keep no list of it."""
    return client.protocol_diagnostics() if hasattr(client, "protocol_diagnostics") else ()


def session(test, reader, log_level="warn"):
    """Runs a test with a client, in the SDK's mode with a reader or the one without."""

    async def run():
        async with EngineManager(ENGINE, log_level=log_level) as engine:
            client = AttestClient(engine)
            if reader:
                client.start_reader()
            try:
                await test(client)
                assert diagnostics(client) == ()
            finally:
                if reader:
                    await client.stop_reader()
        assert engine._process.returncode == 0

    asyncio.run(asyncio.wait_for(run(), 240))


@pytest.fixture(params=[True, False], ids=["reader", "sequential"])
def reader(request):
    return request.param


def test_evaluate_batch(reader):
    async def test(client):
        answer = await client.evaluate_batch(trace(), [contains("refund"), contains("sorry", "a2")])
        assert [r.status for r in answer.results] == ["pass", "hard_fail"]
        assert [r.assertion_id for r in answer.results] == ["a1", "a2"]

    session(test, reader)


def test_fields_of_failures(reader):
    async def test(client):
        failed = (await client.evaluate_batch(trace(), [contains("sorry")])).results[0]
        if not hasattr(failed, "layer"):
            pytest.skip("this SDK does not read the fields of failures")
        assert (failed.type, failed.layer, failed.trace_node_path) == ("content", 4, "/output/message")
        assert failed.expected and failed.actual and failed.suggested_action

    session(test, reader)


def test_models(reader, models, monkeypatch):
    monkeypatch.setenv("ATTEST_OPENAI_BASE_URL", models)

    async def test(client):
        judge = Assertion(assertion_id="j", type="llm_judge", spec={"target": "output.message", "criteria": "polite", "rubric": "default"})
        like = Assertion(assertion_id="e", type="embedding", spec={"target": "output.message", "reference": "Refund done.", "model": None})
        judged, alike = (await client.evaluate_batch(trace(), [judge, like])).results
        assert (judged.status, judged.score) == ("pass", 0.9)
        assert alike.status == "pass" and alike.score > 0.999
        if hasattr(judged, "judge_metadata"):
            assert judged.judge_metadata.rubric_name == "default"

    session(test, reader)


def test_models_that_nobody_configured(reader):
    async def test(client):
        judge = Assertion(assertion_id="j", type="llm_judge", spec={"target": "output.message", "criteria": "polite", "rubric": "default"})
        answer = await client.evaluate_batch(trace(), [judge, contains("refund")])
        assert [r.status for r in answer.results] == ["hard_fail", "pass"]

    session(test, reader)


def test_submit_plugin_result(reader):
    async def test(client):
        assert await client.submit_plugin_result("trc_1", "safety", "p1", "pass", 0.9, "fine")
        plugin = Assertion(assertion_id="p1", type="plugin", spec={"plugin_id": "safety"})
        result = (await client.evaluate_batch(trace(), [plugin])).results[0]
        assert (result.status, result.score) == ("pass", 0.9)

    session(test, reader)


def test_trace_tree(reader):
    async def test(client):
        called = Assertion(assertion_id="t", type="trace_tree", spec={"check": "agent_called", "agent_id": "agent"})
        assert (await client.evaluate_batch(trace(), [called])).results[0].status == "pass"

    session(test, reader)


def test_validate_trace_tree(reader):
    async def test(client):
        answer = await client.send_request("validate_trace_tree", {"trace": trace().to_dict()})
        assert answer["valid"] and answer["depth"] == 0 and answer["agent_ids"] == ["agent"]

    session(test, reader)


def test_query_drift(reader):
    async def test(client):
        if hasattr(client, "query_drift"):
            report = await client.query_drift("nobody")
            assert (report.count, report.status) == (0, "ok")
        else:
            answer = await client.send_request("query_drift", {"assertion_id": "nobody", "window_size": 50})
            assert (answer["report"]["count"], answer["report"]["status"]) == (0, "ok")

    session(test, reader)


def test_generate_user_message(reader, models, monkeypatch):
    monkeypatch.setenv("ATTEST_OPENAI_BASE_URL", models)
    persona = {"name": "Ann", "system_prompt": "You want a refund.", "style": "curt", "temperature": 0.7}

    async def test(client):
        params = {"persona": persona, "conversation_history": []}
        assert (await client.send_request("generate_user_message", params))["message"] == "Where is my refund?"
        if hasattr(client, "generate_user_message"):
            from attest._proto.types import SimulatePersona

            assert await client.generate_user_message(SimulatePersona(**persona), []) == "Where is my refund?"

    session(test, reader)


def test_errors_leave_the_session_alive(reader):
    async def test(client):
        broken = Assertion(assertion_id="x", type="content", spec={"target": "output.message", "check": "regex_match", "value": "["})
        with pytest.raises(ProtocolError) as caught:
            await client.evaluate_batch(trace(), [broken])
        assert caught.value.code == 1002
        assert (await client.evaluate_batch(trace(), [contains("refund")])).results[0].status == "pass"

    session(test, reader)


def test_many_requests_with_a_log_that_nobody_reads(reader):
    """10,000 requests, which the engine logs to a pipe that the SDK never reads."""

    async def test(client):
        for _ in range(100):
            if reader:
                await asyncio.gather(*(client.evaluate_batch(trace(), [contains("refund")]) for _ in range(100)))
                continue
            for _ in range(100):
                await client.evaluate_batch(trace(), [contains("refund")])

    session(test, reader, log_level="debug")


def test_ids_that_occur_again():
    """A client counts its requests from 1, which the handshake has used already."""

    async def run():
        async with EngineManager(ENGINE) as engine:
            for _ in range(3):
                client = AttestClient(engine)
                client.start_reader()
                assert (await client.evaluate_batch(trace(), [contains("refund")])).results[0].status == "pass"
                await client.stop_reader()

    asyncio.run(asyncio.wait_for(run(), 60))
