//! Shared context: documents that agents extend together, each update told to everybody.

use super::{Bus, Draft, Error, Result};
use crate::engine::{self, ContextChange, Transaction};
use crate::host::WaitTimer;
use crate::model::{AgentName, Context, ContextName, MessageId, MessageType, Span, WithDiagnostics};
use crate::wire::mailbox::context as document;

/// The result of an update, which is durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextUpdated {
    /// The document as the update left it.
    pub context: Context,
    /// The broadcast that tells of it.
    pub notice: MessageId,
    /// The agents that received the broadcast.
    pub told: Vec<AgentName>,
}

impl Bus<'_> {
    /// Creates a shared context. Nobody is told: there is nothing yet that anybody could hold an old version of.
    pub fn create_context(&self, agent: &AgentName, name: &ContextName, content: &str) -> Result<Context> {
        self.directory_with(&[agent])?;
        if let Err(error) = name.check_portable()
            && self.engine.context(name)?.is_none()
        {
            return Err(error.into());
        }
        let at = self.now();
        let context = document::decode(name, &document::new_document(name, content, at));
        let created = ContextChange { expected: None, context: context.clone() };
        let change = Transaction {
            by: agent.clone(),
            at,
            key: None,
            envelopes: Vec::new(),
            seen: None,
            context: Some(created),
            handoff: None,
        };
        match self.engine.commit(change) {
            Ok(_) => Ok(context),
            Err(error) if matches!(*error, engine::Error::Conflict { .. }) => {
                Err(Error::ContextExists { name: name.clone() }.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reads a shared context.
    pub fn context(&self, name: &ContextName) -> Result<Context> {
        self.engine.context(name)?.ok_or_else(|| Error::NoSuchContext { name: name.clone() }.into())
    }

    /// Lists the shared contexts by name.
    pub fn contexts(&self) -> Result<WithDiagnostics<Vec<Context>>> {
        Ok(self.engine.contexts()?)
    }

    /// Appends to a shared context and tells everybody else, both or neither.
    ///
    /// With `expected`, only if the document is at that version. Without, the update goes after whatever others wrote
    /// meanwhile; it is given up when they do not stop for as long as the settings' patience.
    pub fn update_context(
        &self,
        agent: &AgentName,
        name: &ContextName,
        text: &str,
        expected: Option<u64>,
    ) -> Result<ContextUpdated> {
        if text.trim().is_empty() {
            return Err(Error::Usage {
                message: format!("the update of shared context {name} is empty"),
                hint: "say what is to be added".into(),
            }
            .into());
        }
        let mut waiting = WaitTimer::begin(&self.host);
        loop {
            let tried = self.try_update(agent, name, text, expected);
            let moved =
                matches!(tried.as_ref().map_err(|error| &**error), Err(Error::Engine(engine::Error::Conflict { .. })));
            if !moved || expected.is_some() || waiting.so_far(&self.host) >= self.settings.lock_timeout {
                return tried;
            }
            // Of those who met here, each waits another while, or they would meet again.
            self.host.sleep(Span::from_millis(2 + (self.host.random() % 16) as i64));
        }
    }

    /// Updates the version that is there now, unless another update comes in between.
    fn try_update(
        &self,
        agent: &AgentName,
        name: &ContextName,
        text: &str,
        expected: Option<u64>,
    ) -> Result<ContextUpdated> {
        self.directory_with(&[agent])?;
        let current = self.context(name)?;
        if let Some(expected) = expected.filter(|version| *version != current.version) {
            return Err(Error::Engine(engine::Error::Conflict {
                what: format!("shared context {name}"),
                expected: format!("version {expected}"),
                found: format!("version {}", current.version),
            })
            .into());
        }
        let context = document::decode(name, &document::appended(&current.text, agent, text, self.now()));
        let envelope = self.post_to_all(agent, &notice(agent, &context))?;
        let (notice, told) = (envelope.message.id.clone(), envelope.recipients.clone());
        let updated = ContextChange { expected: Some(current.version), context: context.clone() };
        self.engine.commit(Transaction { context: Some(updated), ..Transaction::deliver(envelope) })?;
        Ok(ContextUpdated { context, notice, told })
    }
}

/// Says that a shared context moved on, so that readers of an older version read it again.
fn notice(agent: &AgentName, context: &Context) -> Draft {
    let name = context.name.as_str();
    Draft {
        kind: Some(MessageType::new(MessageType::CONTEXT_UPDATED)),
        body: object!({ "context": name, "updated_by": agent.as_str(), "version": context.version }),
        ..Draft::new(format!("Shared context '{name}' updated"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use std::cell::Cell;

    use super::*;
    use crate::Host;
    use crate::bus::{ErrorKind, NewAgent, Settings};
    use crate::engine::Engine;
    use crate::engine::memory::MemoryEngine;
    use crate::host::FixedHost;
    use crate::model::{Recipient, Timestamp};

    const NOON: &str = "2025-11-29T12:00:00Z";

    fn agent(name: &str) -> AgentName {
        name.parse().unwrap()
    }

    fn contracts() -> ContextName {
        "api-contracts".parse().unwrap()
    }

    fn engine(host: &FixedHost) -> MemoryEngine<&FixedHost> {
        let engine = MemoryEngine::new(host);
        let bus = Bus::new(&engine, host);
        bus.init().unwrap();
        for name in ["ann", "bob", "cid"] {
            bus.register(&agent(name), &NewAgent::with_role("builder")).unwrap();
        }
        engine
    }

    #[test]
    fn a_context_is_made_once_and_nobody_is_told() {
        let host = FixedHost::at(NOON);
        let engine = engine(&host);
        let bus = Bus::new(&engine, &host);
        let made = bus.create_context(&agent("ann"), &contracts(), "# Contracts").unwrap();
        assert_eq!((made.version, made.updated_at), (1, Some(host.now())));
        assert_eq!(bus.context(&contracts()).unwrap(), made);
        assert_eq!(bus.contexts().unwrap(), WithDiagnostics::clean(vec![made]));
        assert_eq!(engine.snapshot().unwrap().value.deliveries, []);

        let again = bus.create_context(&agent("bob"), &contracts(), "# Mine").unwrap_err();
        assert!(matches!(*again, Error::ContextExists { .. }), "{again}");
        let stranger = bus.create_context(&agent("zoe"), &"other".parse().unwrap(), "").unwrap_err();
        assert!(matches!(*stranger, Error::UnknownAgent { .. }), "{stranger}");
        assert_eq!(bus.contexts().unwrap().value.len(), 1);
    }

    #[test]
    fn an_update_and_its_broadcast_come_together() {
        let host = FixedHost::at(NOON);
        let engine = engine(&host);
        let bus = Bus::new(&engine, &host);
        bus.create_context(&agent("ann"), &contracts(), "# Contracts").unwrap();
        host.advance(Span::from_seconds(60));
        let updated = bus.update_context(&agent("bob"), &contracts(), "Login is done.", None).unwrap();
        assert_eq!(updated.context.version, 2);
        assert_eq!(updated.context.contributors, [agent("bob")]);
        assert!(updated.context.text.ends_with("\n## Update: 2025-11-29T12:01:00Z by bob\nLogin is done.\n"));
        assert_eq!(bus.context(&contracts()).unwrap(), updated.context);

        assert_eq!(updated.told, [agent("ann"), agent("cid")]);
        let notice = engine.delivery(&agent("ann"), &updated.notice).unwrap().unwrap().message;
        assert_eq!((notice.kind.as_str(), &notice.to), ("context_updated", &Recipient::All));
        assert_eq!(notice.subject, "Shared context 'api-contracts' updated");
        assert_eq!(notice.body, json!({"context": "api-contracts", "updated_by": "bob", "version": 2}));
    }

    #[test]
    fn an_update_of_another_version_than_expected_is_refused() {
        let host = FixedHost::at(NOON);
        let engine = engine(&host);
        let bus = Bus::new(&engine, &host);
        bus.create_context(&agent("ann"), &contracts(), "# Contracts").unwrap();
        bus.update_context(&agent("bob"), &contracts(), "first", Some(1)).unwrap();
        let refused = bus.update_context(&agent("cid"), &contracts(), "second", Some(1)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Conflict);
        let record = "shared context api-contracts changed meanwhile: expected version 1, found version 2";
        assert_eq!(refused.to_string(), record);
        assert_eq!(bus.context(&contracts()).unwrap().version, 2);
        assert_eq!(engine.inbox(&agent("ann"), true).unwrap().value.len(), 1);
    }

    #[test]
    fn updates_that_cannot_be_made_change_nothing() {
        let host = FixedHost::at(NOON);
        let engine = engine(&host);
        let bus = Bus::new(&engine, &host);
        let absent = bus.update_context(&agent("ann"), &contracts(), "text", None).unwrap_err();
        assert!(matches!(*absent, Error::NoSuchContext { .. }), "{absent}");
        assert!(matches!(*bus.context(&contracts()).unwrap_err(), Error::NoSuchContext { .. }));
        bus.create_context(&agent("ann"), &contracts(), "# Contracts").unwrap();
        let stranger = bus.update_context(&agent("zoe"), &contracts(), "text", None).unwrap_err();
        assert!(matches!(*stranger, Error::UnknownAgent { .. }), "{stranger}");
        let empty = bus.update_context(&agent("ann"), &contracts(), " \n", None).unwrap_err();
        assert_eq!(empty.kind(), ErrorKind::Usage);
        assert_eq!(engine.snapshot().unwrap().value.records, []);
        assert_eq!(bus.context(&contracts()).unwrap().version, 1);
    }

    /// A host in whose company others get a word in: each roll of the dice, another agent updates the document.
    struct Crowd<'a> {
        host: &'a FixedHost,
        engine: &'a MemoryEngine<&'a FixedHost>,
        words: Cell<u32>,
    }

    impl Host for Crowd<'_> {
        fn now(&self) -> Timestamp {
            self.host.now()
        }

        fn random(&self) -> u128 {
            if let Some(left) = self.words.get().checked_sub(1) {
                self.words.set(left);
                let other = Bus::new(self.engine, self.host);
                other.update_context(&agent("bob"), &contracts(), "a word", None).unwrap();
            }
            self.host.random()
        }

        fn sleep(&self, span: Span) {
            self.host.sleep(span);
        }
    }

    #[test]
    fn an_update_goes_after_what_others_wrote_meanwhile() {
        let host = FixedHost::at(NOON);
        let engine = engine(&host);
        Bus::new(&engine, &host).create_context(&agent("ann"), &contracts(), "# Contracts").unwrap();
        let crowd = Crowd { host: &host, engine: &engine, words: Cell::new(5) };
        let bus = Bus::new(&engine, &crowd);
        let updated = bus.update_context(&agent("ann"), &contracts(), "at last", None).unwrap();
        assert_eq!(updated.context.version, 7);
        assert_eq!(bus.context(&contracts()).unwrap().text.matches("at last").count(), 1);
        assert_eq!(engine.inbox(&agent("cid"), true).unwrap().value.len(), 6, "one notice an update");
    }

    #[test]
    fn an_update_is_given_up_when_others_do_not_stop() {
        let host = FixedHost::at(NOON);
        let engine = engine(&host);
        Bus::new(&engine, &host).create_context(&agent("ann"), &contracts(), "# Contracts").unwrap();
        let crowd = Crowd { host: &host, engine: &engine, words: Cell::new(u32::MAX) };
        let settings = Settings { lock_timeout: Span::from_millis(100), ..Settings::default() };
        let bus = Bus::new(&engine, &crowd).with_settings(settings);
        let refused = bus.update_context(&agent("ann"), &contracts(), "at last", None).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Conflict);
        let waited = host.now().since(Timestamp::parse(NOON).unwrap());
        assert!((100..120).contains(&waited.millis()), "{waited}");
        assert!(!bus.context(&contracts()).unwrap().text.contains("at last"));

        let current = bus.context(&contracts()).unwrap().version;
        let before = host.now();
        let refused = bus.update_context(&agent("ann"), &contracts(), "at last", Some(current)).unwrap_err();
        assert_eq!((refused.kind(), host.now()), (ErrorKind::Conflict, before), "who names a version does not wait");
    }
}
