//! The table of tools. Every word here is read by every model on every start, so there are few.

use huddle_api::{
    AcceptHandoff, Ask, Broadcast, CheckInbox, CompleteAgent, CreateContext, CreateHandoff, DeclineHandoff, FailAgent,
    JoinSession, ListAgents, ListContexts, ListHandoffs, LogEvent, MergeReports, Publish, PutReport, ReadContext,
    ReadHandoff, ReadMessage, Register, Reply, SearchHistory, SendMessage, ShowReport, ShowSession, Subscribe, Trace,
    UpdateContext, UpdateProgress,
};

use super::Effect::{Adds, Reads, Settles};
use super::Shape::{Any, Content, Number, Seconds, Text, Texts, Truth, Word};
use super::arguments::request;
use super::{Param, Shape, Tool};

const PRIORITY: Param = takes("priority", Word("critical|high|normal|low"), "");
const KEY: Param = takes("key", Text, "same key, sent once");
const MESSAGE: Param = needs("messageId", Text, "");
const SESSION: Param = takes("session", Text, "id");
const SUBJECT: Param = takes("subject", Text, "");
const TYPE: Param = takes("type", Text, "");
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
        requests: &[("register", request::<Register>)],
        takes: &[needs("name", Text, ""), needs("role", Text, ""), takes("capabilities", Texts, "")],
        gives: &[("name", "string")],
    },
    Tool {
        name: "list_agents",
        about: "Who is here, and how much each has unread",
        effect: Reads,
        requests: &[("list_agents", request::<ListAgents>)],
        takes: &[],
        gives: &[("agents", "array")],
    },
    Tool {
        name: "check_inbox",
        about: "List unread messages, most urgent first. Call before and after each piece of work",
        // What is listed counts as offered from then on, and whoever sent it can see that.
        effect: Settles,
        requests: &[("check_inbox", request::<CheckInbox>)],
        takes: &[
            takes("wait", Seconds(WAITING), "seconds to wait if there are none, at most 50"),
            takes("limit", Number, ""),
            takes("all", Truth, "read ones, too"),
        ],
        gives: &[("count", "integer"), ("notifications", "array")],
    },
    Tool {
        name: "read_message",
        about: "Read a message whole; its sender is told that it was seen",
        effect: Settles,
        requests: &[("read_message", request::<ReadMessage>)],
        takes: &[MESSAGE],
        gives: &[("id", "string"), ("from", "string"), ("content", "string"), ("type", "string")],
    },
    Tool {
        name: "send_message",
        about: "Send a message; it is stored for good when this returns",
        effect: Adds,
        requests: &[("send_message", request::<SendMessage>)],
        takes: &[
            needs("to", Text, "agent, or several with commas"),
            needs("content", Content, "text or JSON, under 10 KB"),
            takes("type", Text, "task, result, status, error, question, …"),
            PRIORITY,
            takes("threadId", Text, "conversation to go on with"),
            SUBJECT,
            takes("needsReply", Truth, ""),
            takes("deadline", Text, "as in 2h"),
            KEY,
            takes("large", Truth, "insist on more than 10 KB"),
        ],
        gives: SENT,
    },
    Tool {
        name: "reply",
        about: "Answer a message, in its conversation",
        effect: Adds,
        requests: &[("reply", request::<Reply>)],
        takes: &[MESSAGE, needs("content", Content, ""), TYPE, PRIORITY, KEY],
        gives: SENT,
    },
    Tool {
        name: "ask",
        about: "Ask an agent and wait for the answer",
        effect: Adds,
        requests: &[("ask", request::<Ask>)],
        takes: &[
            needs("to", Text, ""),
            needs("question", Text, ""),
            takes("context", Text, ""),
            takes("format", Any, "object, array, number, … or a JSON Schema"),
            takes("timeout", Seconds(ASKING), "seconds, at most 16; asks up to three times"),
            takes("fallback", Any, "the answer if none comes"),
        ],
        gives: &[("outcome", "string"), ("questionId", "string")],
    },
    Tool {
        name: "broadcast",
        about: "Tell every agent; only what all must know",
        effect: Adds,
        requests: &[("broadcast", request::<Broadcast>)],
        takes: &[needs("content", Content, ""), TYPE, PRIORITY, SUBJECT, KEY],
        gives: SENT,
    },
    Tool {
        name: "publish_event",
        about: "Tell those who subscribed to an event",
        effect: Adds,
        requests: &[("publish_event", request::<Publish>)],
        takes: &[needs("event", Text, "as in TaskCompleted"), takes("data", Any, "")],
        gives: SENT,
    },
    Tool {
        name: "subscribe",
        about: "Get copies of events from now on",
        effect: Settles,
        requests: &[("subscribe", request::<Subscribe>)],
        takes: &[needs("events", Texts, "")],
        gives: &[("events", "array")],
    },
    Tool {
        name: "trace",
        about: "How far a message came with each recipient: stored, offered, seen, acked, answered",
        effect: Reads,
        requests: &[("trace", request::<Trace>)],
        takes: &[MESSAGE],
        gives: &[("deliveries", "array")],
    },
    Tool {
        name: "handoff",
        about: "Pass a task on with its files, or take one over",
        effect: Adds,
        requests: &[
            ("create", request::<CreateHandoff>),
            ("list", request::<ListHandoffs>),
            ("show", request::<ReadHandoff>),
            ("accept", request::<AcceptHandoff>),
            ("decline", request::<DeclineHandoff>),
        ],
        takes: &[
            takes("to", Text, "create: who takes over"),
            takes("task", Text, "create: what, in a line"),
            takes("context", Text, ""),
            takes("done", Text, ""),
            takes("next", Texts, ""),
            takes("artifacts", Texts, "paths of files"),
            takes("id", Text, "show, accept, decline: which"),
            takes("notes", Text, "accept"),
            takes("reason", Text, "decline"),
        ],
        gives: &[],
    },
    Tool {
        name: "context",
        about: "Shared notes that agents extend together",
        effect: Adds,
        requests: &[
            ("show", request::<ReadContext>),
            ("update", request::<UpdateContext>),
            ("create", request::<CreateContext>),
            ("list", request::<ListContexts>),
        ],
        takes: &[
            takes("name", Text, ""),
            takes("text", Text, "Markdown to add"),
            takes("expectVersion", Number, "refuse if it changed since"),
        ],
        gives: &[],
    },
    Tool {
        name: "session_status",
        about: "Who waits for whom and who is done in a job of several agents",
        effect: Reads,
        requests: &[("session_status", request::<ShowSession>)],
        takes: &[SESSION],
        gives: &[("session_id", "string")],
    },
    Tool {
        name: "session_update",
        about: "Say where you stand in that job",
        effect: Adds,
        requests: &[
            ("progress", request::<UpdateProgress>),
            ("join", request::<JoinSession>),
            ("complete", request::<CompleteAgent>),
            ("fail", request::<FailAgent>),
        ],
        takes: &[takes("message", Text, "what you are doing, or what went wrong"), SESSION],
        gives: &[],
    },
    Tool {
        name: "session_log",
        about: "Add a record to the job's log",
        effect: Adds,
        requests: &[("session_log", request::<LogEvent>)],
        takes: &[
            needs("type", Text, "status, finding, error, data, completed"),
            needs("message", Text, ""),
            takes("severity", Text, "high, medium, low"),
            takes("data", Any, ""),
            SESSION,
        ],
        gives: &[("type", "string")],
    },
    Tool {
        name: "session_report",
        about: "Hand in your report, read one, or merge all",
        effect: Adds,
        requests: &[("put", request::<PutReport>), ("show", request::<ShowReport>), ("merge", request::<MergeReports>)],
        takes: &[takes("report", Any, "status, summary, findings, next_actions"), takes("agent", Text, ""), SESSION],
        gives: &[],
    },
    Tool {
        name: "search_history",
        about: "Find what was said: words, \"phrases\", from: to: type: severity: thread: after: before: is:unread, -not, OR",
        effect: Reads,
        requests: &[("search_history", request::<SearchHistory>)],
        takes: &[
            needs("query", Text, ""),
            takes("limit", Number, ""),
            takes("paths", Texts, "logs or directories in the project"),
        ],
        gives: &[("count", "integer"), ("hits", "array")],
    },
];

/// A parameter that every call needs.
const fn needs(name: &'static str, kind: Shape, about: &'static str) -> Param {
    Param { name, kind, about, needed: true }
}

/// A parameter that may be left out.
const fn takes(name: &'static str, kind: Shape, about: &'static str) -> Param {
    Param { name, kind, about, needed: false }
}
