"""Checks the rules of a session log in plain Python: shape, both hashes, numbers,
links, session, authority, payload tables, tool ids. It stops at the first fault."""
import hashlib
import json
import re
import sys

HASH = re.compile(r"(sha256:)?[0-9a-f]{64}")
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
MARKER = re.compile(r"\[REDACTED(:[^\]]+)?\]")
SIGNED = ("event_id", "event_type", "payload_hash", "prev_event_hash", "sequence_number", "session_id", "timestamp_wall")
TEXTS = ("event_id", "session_id", "timestamp_wall", "event_type", "payload_hash", "event_hash")
VERSIONS = {"v0.2", "v0.4", "v0.5", "v0.6", None}


def text(v):
    return isinstance(v, str)


def one_of(*values):
    return lambda v: v in values


def integer(low, high):
    return lambda v: isinstance(v, (int, float)) and not isinstance(v, bool) and v == int(v) and low <= v <= high


def matching(pattern):
    return lambda v: text(v) and pattern.fullmatch(v) is not None


def obj(v):
    return isinstance(v, dict)


uint, sint = integer(0, 2**64 - 1), integer(-(2**63), 2**63 - 1)
number = lambda v: isinstance(v, (int, float)) and not isinstance(v, bool)
redacted = lambda v: text(v) and MARKER.fullmatch(v) is not None

# member: (required, check)
TABLES = {
    "SESSION_START": {"agent_id": (1, text), "tags": (0, lambda v: all(map(text, v))), "environment": (1, one_of("prod", "staging", "dev")), "framework": (1, text), "framework_version": (1, text), "sdk_version": (1, text), "system_prompt_hash": (0, matching(HASH))},
    "SESSION_END": {"status": (1, one_of("success", "failure", "timeout", "cancelled")), "reason": (0, text), "duration_ms": (1, uint), "total_cost_usd": (0, number)},
    "TOOL_CALL": {"tool_name": (1, text), "tool_id": (0, text), "args": (1, lambda v: obj(v) or redacted(v)), "args_hash": (0, matching(HASH)), "timeout_ms": (0, sint)},
    "TOOL_RESULT": {"tool_name": (1, text), "tool_id": (0, text), "result": (1, lambda v: obj(v) or text(v)), "result_hash": (0, matching(HASH)), "status": (1, one_of("success", "error")), "duration_ms": (1, uint)},
    "MODEL_REQUEST": {"model": (1, text), "provider": (1, text), "messages": (1, lambda v: all(check(m, MESSAGE) for m in v)), "parameters": (0, lambda v: check(v, PARAMETERS))},
    "MODEL_RESPONSE": {"model": (1, text), "content": (1, text), "content_hash": (0, matching(HASH)), "role": (1, one_of("assistant")), "finish_reason": (1, one_of("stop", "length", "tool_calls", "content_filter")), "usage": (0, lambda v: check(v, USAGE))},
    "DECISION_TRACE": {"decision_id": (1, matching(UUID)), "inputs": (1, obj), "outputs": (1, obj), "justification": (1, text), "policy_version": (0, text)},
    "ERROR": {"error_type": (1, text), "message": (1, text), "stack_trace": (0, text), "fatal": (1, lambda v: isinstance(v, bool))},
    "ANNOTATION": {"annotator_id": (1, text), "annotation_type": (1, one_of("flag", "comment", "rating")), "content": (1, obj), "target_event_id": (0, matching(UUID))},
    "AGENT_STATE_SNAPSHOT": {}, "CHAIN_SEAL": {}, "LOG_DROP": {},
}
MESSAGE = {"role": (1, one_of("system", "user", "assistant", "tool")), "content": (1, text), "content_hash": (0, matching(HASH)), "name": (0, text)}
PARAMETERS = {"temperature": (0, number), "top_p": (0, number), "max_tokens": (0, sint)}
USAGE = {"prompt_tokens": (0, sint), "completion_tokens": (0, sint), "total_tokens": (0, sint)}
HASHES = {"args": "args_hash", "result": "result_hash", "content": "content_hash"}


def markers(value):
    if obj(value):
        for name, v in value.items():
            if redacted(v) and not (text(value.get(name + "_hash")) and HASH.fullmatch(value[name + "_hash"])):
                return True
            if isinstance(v, (dict, list)) and markers(v):
                return True
    elif isinstance(value, list):
        return any(redacted(v) or isinstance(v, (dict, list)) and markers(v) for v in value)
    return False


def check(value, table):
    for name, (required, good) in table.items():
        v = value.get(name)
        if v is None:
            if required:
                return False
            continue
        if not good(v):
            return False
        if name in HASHES and (redacted(v) or markers(v)) and value.get(HASHES[name]) is None:
            return False
    return True


def unique(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member name occurs twice")
    return members


def digest(value):
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def main(path):
    expected, link, session, authority, calls, sealed = 0, None, None, None, {}, False
    with open(path, "rb") as log:
        for at, line in enumerate(log, 1):
            e = json.loads(line, object_pairs_hook=unique)
            p = e.get("payload")
            session, authority = session or e["session_id"], authority or e.get("chain_authority")
            good = (
                all(text(e.get(m)) for m in TEXTS) and obj(p) and e["event_type"] in TABLES and e.get("schema_ver") in VERSIONS
                and not sealed and e["sequence_number"] == expected and e["prev_event_hash"] == link
                and e["session_id"] == session and e.get("chain_authority") == authority
                and digest(p) == e["payload_hash"] and digest({m: e[m] for m in SIGNED}) == e["event_hash"]
                and check(p, TABLES[e["event_type"]])
            )
            if good and e["event_type"] == "TOOL_CALL" and p.get("tool_id"):
                calls[p["tool_id"]] = p["tool_name"]
            if good and e["event_type"] == "TOOL_RESULT" and p.get("tool_id"):
                good = calls.get(p["tool_id"]) == p["tool_name"]
            if not good:
                sys.exit(f"line {at} is at fault")
            sealed = e["event_type"] == "CHAIN_SEAL"
            expected, link = expected + 1, e["event_hash"]
    print(expected, "events hold")


main(sys.argv[1])
