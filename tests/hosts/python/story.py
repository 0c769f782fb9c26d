"""Two agents on one bus, through the typed interface: python story.py COMPONENT PROJECT"""

import json
import sys

from host import Failure, Host, record

# Records are given whole: what is left out is said so.
NO_OPTIONS = dict.fromkeys(["subject", "needs_reply", "deadline", "key", "task_id", "related_files", "large"])
NO_FILTER = dict.fromkeys(["all", "type", "from", "min_priority", "thread_id", "limit", "wait_seconds"])


def same(found, wanted):
    """Compares, and says what was found."""
    assert found == wanted, f"found {found!r}, wanted {wanted!r}"


def fails(kind, act):
    """Makes sure that something fails in one way, and gives the failure."""
    try:
        answer = act()
    except Failure as failure:
        same(failure.kind, kind)
        return failure
    raise AssertionError(f"this was carried out: {answer!r}")


def main(wasm, project):
    host = Host(wasm)
    bus = host.open({".": project})
    same(bus.call("project", "init-bus").created, True)
    same(bus.call("project", "init-bus").created, False)
    for name in ["alice", "bob"]:
        same(bus.call("agents", "register", name, "builder"), record(name=name, created=True))

    options = record(**{**NO_OPTIONS, "subject": "User service", "needs_reply": True})
    content = "Is the user service yours?"
    sent = bus.call("messages", "send-message", "alice", "bob", content, "question", "high", None, options)
    same(sent.recipients, ["bob"])

    inbox = bus.call("messages", "check-inbox", "bob")
    same(inbox.count, 1)
    waiting = inbox.notifications[0]
    found = [getattr(waiting, name) for name in ["id", "from", "type", "priority", "subject"]]
    same(found, [sent.id, "alice", "question", "high", "User service"])

    reading = bus.call("messages", "read-message", "bob", waiting.id)
    same(reading.content, content)
    same(getattr(reading, "first-read"), True)
    same(bus.call("messages", "check-inbox", "bob").count, 0)

    answer = bus.call("messages", "reply", "bob", waiting.id, "Yes, it is.")
    same(getattr(answer, "thread-id"), getattr(sent, "thread-id"))
    wanted = record(**{**NO_FILTER, "type": "response"})
    heard = bus.call("messages", "check-inbox", "alice", wanted).notifications[0]
    same([heard.id, getattr(heard, "from"), getattr(heard, "in-reply-to")], [answer.id, "bob", sent.id])

    # An error has the kind that an exit code has, what was found, and what to do.
    failure = fails("not-found", lambda: bus.call("messages", "send-message", "alice", "nobody", "Hello?"))
    assert "nobody" in failure.message and failure.hint, failure

    # An instance that is given no directory reaches none.
    denied = host.open({}, {"HUDDLE_ROOT": project})
    for call in [("messages", "check-inbox", "bob"), ("project", "init-bus")]:
        failure = fails("failed", lambda: denied.call(*call))
        assert "has not opened it" in failure.message, failure

    print(json.dumps({"question": sent.id, "answer": answer.id}))


main(*sys.argv[1:])
