//! The commands: one file each, whose [`Spec`] carries the help text.

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

use crate::args::Spec;

/// What can be asked for, in the order that a newcomer needs it.
pub(crate) static HUDDLE: Spec = Spec::group(
    "huddle",
    "Agents talk to each other through files in a project, and people see what they said",
    &[
        init::SPEC,
        register::SPEC,
        agents::SPEC,
        heartbeat::SPEC,
        deregister::SPEC,
        send::SPEC,
        broadcast::SPEC,
        publish::SPEC,
        subscribe::SPEC,
        unsubscribe::SPEC,
        inbox::SPEC,
        read::SPEC,
        reply::SPEC,
        ack::SPEC,
        ask::SPEC,
        answer::SPEC,
        context::SPEC,
        handoff::SPEC,
        session::SPEC,
        protocol::SPEC,
        state::SPEC,
        thread::SPEC,
        threads::SPEC,
        summary::SPEC,
        report::SPEC,
        trace::SPEC,
        history::SPEC,
        timeline::SPEC,
        view::SPEC,
        search::SPEC,
        export::SPEC,
        import::SPEC,
        migrate::SPEC,
        compress::SPEC,
        expand::SPEC,
        sweep::SPEC,
        dead_letters::SPEC,
        archive::SPEC,
        check::SPEC,
        primer::SPEC,
        skill::SPEC,
        hooks::SPEC,
        mcp::SPEC,
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    fn every(spec: &'static Spec) -> Vec<&'static Spec> {
        let mut all = vec![spec];
        all.extend(spec.commands.iter().flat_map(every));
        all
    }

    #[test]
    fn every_command_says_what_it_does_and_what_it_takes() {
        for spec in every(&HUDDLE) {
            assert!(spec.about.starts_with(char::is_uppercase) && !spec.about.ends_with('.'), "{}", spec.name);
            assert!(spec.run.is_some() || !spec.commands.is_empty(), "{}", spec.name);
            for command in spec.commands {
                assert_eq!(command.name, format!("{} {}", spec.name, command.word()));
            }
            let mut names: Vec<_> = spec.takes.iter().chain(crate::args::GLOBAL).map(|take| take.name).collect();
            names.sort_unstable();
            let all = names.len();
            names.dedup();
            assert_eq!(names.len(), all, "{} has a name twice", spec.name);
            assert!(spec.takes.iter().all(|take| !take.help.is_empty()), "{}", spec.name);
        }
    }
}
