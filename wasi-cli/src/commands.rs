//! The commands: one file each, whose argument struct carries the help text.

mod ack;
mod agents;
mod answer;
mod archive;
mod ask;
mod broadcast;
mod check;
mod compress;
mod context;
mod dead_letters;
mod deregister;
mod expand;
mod export;
mod handoff;
mod heartbeat;
mod history;
mod hooks;
mod import;
mod inbox;
mod init;
mod mcp;
mod message_options;
mod migrate;
mod paths;
mod primer;
mod protocol;
mod publish;
mod read;
mod register;
mod reply;
mod report;
mod search;
mod send;
mod session;
mod skill;
mod state;
mod subscribe;
mod summary;
mod sweep;
mod thread;
mod threads;
mod timeline;
mod trace;
mod unsubscribe;
mod view;

use clap::Subcommand;

use crate::call::Call;
use crate::failure::Failure;

/// A command that clap parses.
#[derive(Debug, Subcommand)]
#[rustfmt::skip]
pub(crate) enum Command {
    Init(init::InitArgs),
    Register(register::RegisterArgs),
    Agents(agents::AgentsArgs),
    Heartbeat(heartbeat::HeartbeatArgs),
    Deregister(deregister::DeregisterArgs),
    Send(send::SendArgs),
    Broadcast(broadcast::BroadcastArgs),
    Publish(publish::PublishArgs),
    Subscribe(subscribe::SubscribeArgs),
    Unsubscribe(unsubscribe::UnsubscribeArgs),
    Inbox(inbox::InboxArgs),
    Read(read::ReadArgs),
    Reply(reply::ReplyArgs),
    Ack(ack::AckArgs),
    Trace(trace::TraceArgs),
    Ask(ask::AskArgs),
    Answer(answer::AnswerArgs),
    Context(context::ContextArgs),
    Handoff(handoff::HandoffArgs),
    Protocol(protocol::ProtocolArgs),
    State(state::StateArgs),
    Compress(compress::CompressArgs),
    Expand(expand::ExpandArgs),
    Thread(thread::ThreadArgs),
    Threads(threads::ThreadsArgs),
    Summary(summary::SummaryArgs),
    Report(report::ReportArgs),
    History(history::HistoryArgs),
    Timeline(timeline::TimelineArgs),
    Search(search::SearchArgs),
    View(view::ViewArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
    Migrate(migrate::MigrateArgs),
    Sweep(sweep::SweepArgs),
    DeadLetters(dead_letters::DeadLettersArgs),
    Archive(archive::ArchiveArgs),
    Check(check::CheckArgs),
    Primer(primer::PrimerArgs),
    Skill(skill::SkillArgs),
    Hooks(hooks::HooksArgs),
    Mcp(mcp::McpArgs),
    Session(session::SessionArgs),
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        match self {
            Self::Init(args) => args.run(call),
            Self::Register(args) => args.run(call),
            Self::Agents(args) => args.run(call),
            Self::Heartbeat(args) => args.run(call),
            Self::Deregister(args) => args.run(call),
            Self::Send(args) => args.run(call),
            Self::Broadcast(args) => args.run(call),
            Self::Publish(args) => args.run(call),
            Self::Subscribe(args) => args.run(call),
            Self::Unsubscribe(args) => args.run(call),
            Self::Inbox(args) => args.run(call),
            Self::Read(args) => args.run(call),
            Self::Reply(args) => args.run(call),
            Self::Ack(args) => args.run(call),
            Self::Trace(args) => args.run(call),
            Self::Ask(args) => args.run(call),
            Self::Answer(args) => args.run(call),
            Self::Context(args) => args.run(call),
            Self::Handoff(args) => args.run(call),
            Self::Protocol(args) => args.run(call),
            Self::State(args) => args.run(call),
            Self::Compress(args) => args.run(call),
            Self::Expand(args) => args.run(call),
            Self::Thread(args) => args.run(call),
            Self::Threads(args) => args.run(call),
            Self::Summary(args) => args.run(call),
            Self::Report(args) => args.run(call),
            Self::History(args) => args.run(call),
            Self::Timeline(args) => args.run(call),
            Self::Search(args) => args.run(call),
            Self::View(args) => args.run(call),
            Self::Export(args) => args.run(call),
            Self::Import(args) => args.run(call),
            Self::Migrate(args) => args.run(call),
            Self::Sweep(args) => args.run(call),
            Self::DeadLetters(args) => args.run(call),
            Self::Archive(args) => args.run(call),
            Self::Check(args) => args.run(call),
            Self::Primer(args) => args.run(call),
            Self::Skill(args) => args.run(call),
            Self::Hooks(args) => args.run(call),
            Self::Mcp(args) => args.run(call),
            Self::Session(args) => args.run(call),
        }
    }
}

/// Reads a whole number.
fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "give a whole number".to_owned())
}

/// Reads a whole number of 64 bits, which a size is not everywhere.
fn long_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "give a whole number".to_owned())
}
