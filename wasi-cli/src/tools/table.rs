//! The table of tools. Every word here is read by every model on every start, so there are few.

use super::Effect::{Adds, Reads, Settles};
use super::Shape::{Any, Content, Number, Seconds, Text, Texts, Truth, Word};
use super::{Param, Shape, Tool};

const PRIORITY: Param = may("priority", Word("critical|high|normal|low"), "", "priority");
const KEY: Param = may("key", Text, "same key, sent once", "key");
const MESSAGE: Param = must("messageId", Text, "", "ID");
const SESSION: Param = may("session", Text, "id", "id");
const SUBJECT: Param = may("subject", Text, "", "SUBJECT");
const TYPE: Param = may("type", Text, "", "type");
const SENT: &[(&str, &str)] = &[("id", "string"), ("recipients", "array"), ("duplicate", "boolean")];

/// How long a call waits at most. One client in two gives up after 60 seconds, and hears nothing of what came of it; and
/// nobody else is answered meanwhile.
const WAITING: u32 = 50;
/// How long a question waits at most each time that it is put: once more without an answer, and again for a better one.
pub(super) const ASKING: u32 = WAITING / 3;

/// All tools, in the order that an agent needs them.
pub(crate) static TOOLS: &[Tool] = &[
    Tool {
        name: "register",
        about: "Say who you are, once, before anything else",
        effect: Settles,
        commands: &["register"],
        takes: &[
            must("name", Text, "", "AGENT"),
            must("role", Text, "", "role"),
            may("capabilities", Texts, "", "capability"),
        ],
        gives: &[("name", "string")],
    },
    Tool {
        name: "list_agents",
        about: "Who is here, and how much each has unread",
        effect: Reads,
        commands: &["agents"],
        takes: &[],
        gives: &[("agents", "array")],
    },
    Tool {
        name: "check_inbox",
        about: "List unread messages, most urgent first. Call before and after each piece of work",
        // What is listed counts as offered from then on, and whoever sent it can see that.
        effect: Settles,
        commands: &["inbox"],
        takes: &[
            may("wait", Seconds(WAITING), "seconds to wait if there are none, at most 50", "wait"),
            may("limit", Number, "", "limit"),
            may("all", Truth, "read ones, too", "all"),
        ],
        gives: &[("count", "integer"), ("notifications", "array")],
    },
    Tool {
        name: "read_message",
        about: "Read a message whole; its sender is told that it was seen",
        effect: Settles,
        commands: &["read"],
        takes: &[MESSAGE],
        gives: &[("id", "string"), ("from", "string"), ("content", "string"), ("type", "string")],
    },
    Tool {
        name: "send_message",
        about: "Send a message; it is stored for good when this returns",
        effect: Adds,
        commands: &["send"],
        takes: &[
            must("to", Text, "agent, or several with commas", "TO"),
            must("content", Content, "text or JSON, under 10 KB", "body"),
            may("type", Text, "task, result, status, error, question, …", "type"),
            PRIORITY,
            may("threadId", Text, "conversation to go on with", "thread"),
            SUBJECT,
            may("needsReply", Truth, "", "needs-reply"),
            may("deadline", Text, "as in 2h", "deadline"),
            KEY,
            may("large", Truth, "insist on more than 10 KB", "large"),
        ],
        gives: SENT,
    },
    Tool {
        name: "reply",
        about: "Answer a message, in its conversation",
        effect: Adds,
        commands: &["reply"],
        takes: &[MESSAGE, must("content", Content, "", "body"), TYPE, PRIORITY, KEY],
        gives: SENT,
    },
    Tool {
        name: "ask",
        about: "Ask an agent and wait for the answer",
        effect: Adds,
        commands: &["ask"],
        takes: &[
            must("to", Text, "", "TO"),
            must("question", Text, "", "QUESTION"),
            may("context", Text, "", "context"),
            may("format", Any, "object, array, number, … or a JSON Schema", "format"),
            may("timeout", Seconds(ASKING), "seconds, at most 16; asks up to three times", "timeout"),
            may("fallback", Any, "the answer if none comes", "fallback"),
        ],
        gives: &[("outcome", "string"), ("questionId", "string")],
    },
    Tool {
        name: "broadcast",
        about: "Tell every agent; only what all must know",
        effect: Adds,
        commands: &["broadcast"],
        takes: &[must("content", Content, "", "body"), TYPE, PRIORITY, SUBJECT, KEY],
        gives: SENT,
    },
    Tool {
        name: "publish_event",
        about: "Tell those who subscribed to an event",
        effect: Adds,
        commands: &["publish"],
        takes: &[must("event", Text, "as in TaskCompleted", "EVENT"), may("data", Any, "", "data")],
        gives: SENT,
    },
    Tool {
        name: "subscribe",
        about: "Get copies of events from now on",
        effect: Settles,
        commands: &["subscribe"],
        takes: &[must("events", Texts, "", "EVENT")],
        gives: &[("events", "array")],
    },
    Tool {
        name: "trace",
        about: "How far a message came with each recipient: stored, offered, seen, acked, answered",
        effect: Reads,
        commands: &["trace"],
        takes: &[MESSAGE],
        gives: &[("deliveries", "array")],
    },
    Tool {
        name: "handoff",
        about: "Pass a task on with its files, or take one over",
        effect: Adds,
        commands: &["handoff create", "handoff list", "handoff show", "handoff accept", "handoff decline"],
        takes: &[
            may("to", Text, "create: who takes over", "TO"),
            may("task", Text, "create: what, in a line", "task"),
            may("context", Text, "", "context"),
            may("done", Text, "", "done"),
            may("next", Texts, "", "next"),
            may("artifacts", Texts, "paths of files", "artifact"),
            may("id", Text, "show, accept, decline: which", "ID"),
            may("notes", Text, "accept", "notes"),
            may("reason", Text, "decline", "reason"),
        ],
        gives: &[],
    },
    Tool {
        name: "context",
        about: "Shared notes that agents extend together",
        effect: Adds,
        commands: &["context show", "context update", "context create", "context list"],
        takes: &[
            may("name", Text, "", "NAME"),
            may("text", Text, "Markdown to add", "TEXT"),
            may("expectVersion", Number, "refuse if it changed since", "expect-version"),
        ],
        gives: &[],
    },
    Tool {
        name: "session_status",
        about: "Who waits for whom and who is done in a job of several agents",
        effect: Reads,
        commands: &["session status"],
        takes: &[SESSION],
        gives: &[("session_id", "string")],
    },
    Tool {
        name: "session_update",
        about: "Say where you stand in that job",
        effect: Adds,
        commands: &["session progress", "session join", "session complete", "session fail"],
        takes: &[
            may("message", Text, "what you are doing, or what went wrong", "TEXT"),
            may("message", Text, "", "message"),
            may("message", Text, "", "error"),
            SESSION,
        ],
        gives: &[],
    },
    Tool {
        name: "session_log",
        about: "Add a record to the job's log",
        effect: Adds,
        commands: &["session log"],
        takes: &[
            must("type", Text, "status, finding, error, data, completed", "TYPE"),
            must("message", Text, "", "message"),
            may("severity", Text, "high, medium, low", "severity"),
            may("data", Any, "", "data"),
            SESSION,
        ],
        gives: &[("type", "string")],
    },
    Tool {
        name: "session_report",
        about: "Hand in your report, read one, or merge all",
        effect: Adds,
        commands: &["session report put", "session report show", "session report merge"],
        takes: &[
            may("report", Any, "status, summary, findings, next_actions", "REPORT"),
            may("agent", Text, "", "AGENT"),
            SESSION,
        ],
        gives: &[],
    },
    Tool {
        name: "search_history",
        about: "Find what was said: words, \"phrases\", from: to: type: severity: thread: after: before: is:unread, -not, OR",
        effect: Reads,
        commands: &["search"],
        takes: &[
            must("query", Text, "", "QUERY"),
            may("limit", Number, "", "limit"),
            may("paths", Texts, "logs or directories in the project", "PATH"),
        ],
        gives: &[("count", "integer"), ("hits", "array")],
    },
];

/// A parameter that every call needs.
const fn must(name: &'static str, kind: Shape, about: &'static str, take: &'static str) -> Param {
    Param { name, kind, about, take, needed: true }
}

/// A parameter that may be left out.
const fn may(name: &'static str, kind: Shape, about: &'static str, take: &'static str) -> Param {
    Param { name, kind, about, take, needed: false }
}
