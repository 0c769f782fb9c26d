//! `huddle send`

mod batch;

use huddle_core::bus::Draft;
use huddle_core::model::AgentName;
use huddle_core::wire::answer;

use super::message_options::{
    BODY, DEADLINE, FILE, KEY, LARGE, NEEDS_REPLY, PRIORITY, TASK, THREAD, TYPE, draft, sent_text,
};
use crate::args::{Args, Spec, flag, maybe};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle send",
    "Send a message to one agent or to several",
    &[
        maybe("TO", "who it is for; several names are separated by commas"),
        maybe("SUBJECT", "one line that says what it is about; without one, the body's first line is"),
        TYPE,
        BODY,
        PRIORITY,
        THREAD,
        NEEDS_REPLY,
        DEADLINE,
        KEY,
        TASK,
        FILE,
        LARGE,
        flag("batch", "send a message for each line of standard input"),
    ],
    run,
)
.more(
    "\
Prints the message's id once it is stored for good. When a recipient is not registered, nothing is sent to anyone.

With --batch, each line of standard input is a JSON object: \"to\" (a name or a list of names), \"subject\", and any of
\"body\", \"type\", \"priority\", \"thread\", \"needs_reply\", \"deadline\", \"key\", \"task\", \"files\", \"large\". Each gets a line
of JSON as answer. A line that cannot be sent does not stop the others; the exit code is then 6.",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    if args.has("batch") {
        let single = ["TO", "type", "body", "thread", "needs-reply", "deadline", "key", "task", "file", "large"];
        return match single.iter().find(|name| args.has(name)) {
            Some(_) => Err(args.wrong("with --batch, all that a message has is in its line")),
            None => batch::run(&me, call),
        };
    }
    let Some(to) = args.text("TO") else { return Err(args.wrong("TO is missing")) };
    if !args.has("SUBJECT") && !args.has("body") {
        return Err(args.wrong("SUBJECT is missing"));
    }
    let subject = args.text("SUBJECT");
    let to = to.split(',').map(AgentName::new).collect::<Result<_, _>>()?;
    let draft = Draft { to, ..draft(args, subject.unwrap_or_default(), call)? };
    let sent = call.bus.send(&me, &draft)?;
    call.output.answer(|| answer::sent(&sent), || sent_text("Message", &sent, subject))
}
