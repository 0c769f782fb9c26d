//! The commands: one file each, whose arguments carry the help text.

mod ack;
mod agents;
mod archive;
mod broadcast;
mod check;
mod context;
mod dead_letters;
mod deregister;
mod handoff;
mod heartbeat;
mod inbox;
mod init;
mod message_options;
mod primer;
mod publish;
mod read;
mod register;
mod reply;
mod report;
mod send;
mod subscribe;
mod summary;
mod sweep;
mod thread;
mod threads;
mod trace;
mod unsubscribe;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

/// What can be asked for, in the order that a newcomer needs it.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(init::Init),
    Register(register::Register),
    Agents(agents::Agents),
    Heartbeat(heartbeat::Heartbeat),
    Deregister(deregister::Deregister),
    Send(send::Send),
    Broadcast(broadcast::Broadcast),
    Publish(publish::Publish),
    Subscribe(subscribe::Subscribe),
    Unsubscribe(unsubscribe::Unsubscribe),
    Inbox(inbox::Inbox),
    Read(read::Read),
    Reply(reply::Reply),
    Ack(ack::Ack),
    #[command(subcommand)]
    Context(context::Context),
    #[command(subcommand)]
    Handoff(handoff::Handoff),
    Thread(thread::Thread),
    Threads(threads::Threads),
    Summary(summary::Summary),
    #[command(subcommand)]
    Report(report::Report),
    Trace(trace::Trace),
    Sweep(sweep::Sweep),
    DeadLetters(dead_letters::DeadLetters),
    Archive(archive::Archive),
    Check(check::Check),
    Primer(primer::Primer),
}

impl Command {
    /// Does what is asked for.
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        // Check reports on the directory itself, and the other two have none to look at.
        if !matches!(self, Self::Init(_) | Self::Primer(_) | Self::Check(_)) {
            session.look_over();
        }
        match self {
            Self::Init(command) => command.run(session),
            Self::Register(command) => command.run(session),
            Self::Agents(command) => command.run(session),
            Self::Heartbeat(command) => command.run(session),
            Self::Deregister(command) => command.run(session),
            Self::Send(command) => command.run(session),
            Self::Broadcast(command) => command.run(session),
            Self::Publish(command) => command.run(session),
            Self::Subscribe(command) => command.run(session),
            Self::Unsubscribe(command) => command.run(session),
            Self::Inbox(command) => command.run(session),
            Self::Read(command) => command.run(session),
            Self::Reply(command) => command.run(session),
            Self::Ack(command) => command.run(session),
            Self::Context(command) => command.run(session),
            Self::Handoff(command) => command.run(session),
            Self::Thread(command) => command.run(session),
            Self::Threads(command) => command.run(session),
            Self::Summary(command) => command.run(session),
            Self::Report(command) => command.run(session),
            Self::Trace(command) => command.run(session),
            Self::Sweep(command) => command.run(session),
            Self::DeadLetters(command) => command.run(session),
            Self::Archive(command) => command.run(session),
            Self::Check(command) => command.run(session),
            Self::Primer(command) => command.run(session),
        }
    }
}
