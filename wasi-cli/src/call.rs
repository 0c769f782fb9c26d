//! What a command works with.

use huddle_core::bus::{Bus, ErrorKind};
use huddle_core::model::{AgentName, Timestamp, WithDiagnostics};

use crate::args::Global;
use crate::failure::Failure;
use crate::input::Input;
use crate::output::Output;
use crate::project::Project;

/// One call of the command: the bus, who is calling, and where words come from and go to.
pub(crate) struct Call<'a> {
    /// The project that was named.
    pub(crate) project: &'a Project<'a>,
    /// Its bus.
    pub(crate) bus: &'a Bus<'a>,
    /// The options that every command has.
    pub(crate) global: &'a Global,
    /// What arguments refer to.
    pub(crate) input: Input<'a>,
    /// The one object that prints.
    pub(crate) output: Output<'a>,
}

impl Call<'_> {
    /// Gives the acting agent, which this command cannot do without.
    pub(crate) fn me(&self) -> Result<AgentName, Failure> {
        self.me_if_told()?.ok_or_else(|| {
            let hint = match self.input.is_literal() {
                true => "register first: say who you are",
                false => "say who you are: --as AGENT, or set HUDDLE_AGENT",
            };
            Failure::new(ErrorKind::Usage, "this command needs to know which agent is acting", hint)
        })
    }

    /// Gives the acting agent if the caller said who it is.
    pub(crate) fn me_if_told(&self) -> Result<Option<AgentName>, Failure> {
        Ok(self.global.agent.as_deref().map(AgentName::new).transpose()?)
    }

    /// Notes what is wrong with the directory of agents: every command works on with what can be made out of it.
    pub(crate) fn look_over(&mut self) {
        // A bus that cannot be read at all is for the command itself to report.
        if let Ok(findings) = self.bus.directory_findings() {
            self.output.found(findings);
        }
    }

    /// Takes what was read, and notes what could not be.
    pub(crate) fn value<T>(&mut self, found: WithDiagnostics<T>) -> T {
        self.output.found(found.findings);
        found.value
    }

    /// Notes what went wrong beside the bus while it did what it was asked.
    pub(crate) fn look_beside(&mut self) {
        self.output.found(self.bus.take_findings());
    }

    /// Tells the time.
    pub(crate) fn now(&self) -> Timestamp {
        self.project.host.now()
    }
}
