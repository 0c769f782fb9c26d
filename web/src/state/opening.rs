//! Opening: from the request to open something until it is shown, failed or was given up.

use js_sys::Array;
use leptos::prelude::*;

use super::{DatasetState, Phase, recovery};
use crate::format::sentence;
use crate::limits::{Raise, UnpackLimits};
use crate::protocol::{Request, Source};

/// A source with all that it takes to open it again.
#[derive(Debug, Clone)]
pub(super) struct Opening {
    pub(super) source: Source,
    pub(super) handles: Array,
    pub(super) limits: UnpackLimits,
}

impl Opening {
    fn new(source: Source, handles: Array) -> Self {
        Self { source, handles, limits: UnpackLimits::default() }
    }

    /// Returns the address to open it at; empty if it has none.
    pub(super) fn address(&self) -> &str {
        if let Source::Address(address) = &self.source { address } else { "" }
    }
}

/// What was requested to be opened, and what became of it.
#[derive(Debug, Default)]
pub(super) struct Openings {
    /// The number of the last request.
    last: u32,
    /// The request that nothing was shown of yet.
    pending: Option<u32>,
    /// What was last requested, whatever became of it.
    pub(super) requested: Option<Opening>,
    /// What is open.
    pub(super) open: Option<Opening>,
    canceled: bool,
    /// The source that a link was made for, until it is known whether that is what was opened.
    linked: String,
}

impl Openings {
    pub(super) fn linked_to(source: String) -> Self {
        Self { linked: source, ..Self::default() }
    }

    pub(super) fn link_to(&mut self, source: String) {
        self.linked = source;
    }

    pub(super) fn take_link(&mut self) -> String {
        std::mem::take(&mut self.linked)
    }

    pub(super) fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    fn begin(&mut self, opening: Opening) -> u32 {
        self.last += 1;
        (self.pending, self.canceled, self.requested) = (Some(self.last), false, Some(opening));
        self.last
    }

    /// Takes note that something is shown; returns its address if it is what was requested last.
    pub(super) fn arrived(&mut self, number: u32) -> Option<String> {
        self.pending.take_if(|pending| *pending == number)?;
        self.open.clone_from(&self.requested);
        Some(self.open.as_ref().map_or(String::new(), |opening| opening.address().to_owned()))
    }

    /// Takes note that the worker failed; returns whether something was being opened. What was open can be requested again.
    pub(super) fn worker_stopped(&mut self) -> bool {
        let was_opening = self.pending.take().is_some();
        let open = self.open.take();
        if !was_opening {
            self.requested = open;
        }
        was_opening
    }
}

impl DatasetState {
    /// Opens something. What is open stays until there is something to show of it.
    pub fn open(self, source: Source, handles: Array) {
        // The route is one in what was open when the worker failed.
        if self.phase.with_untracked(|phase| matches!(phase, Phase::Stopped { .. })) {
            self.route.push(|route| *route = route.at_start());
        }
        self.open_with(Opening::new(source, handles));
    }

    fn open_with(self, opening: Opening) {
        self.start_worker();
        recovery::begin(opening.address());
        self.phase.set(Phase::Loading { bytes: 0, total: 0, rows: 0 });
        self.feedback.dialog.set(None);
        self.feedback.notify("");
        self.dismissed.set(String::new());
        let (source, handles, limits) = (opening.source.clone(), opening.handles.clone(), opening.limits);
        let number = self.openings.try_update_value(|it| it.begin(opening)).unwrap_or_default();
        drop(self.request_with(Request::Open { number, source, limits, list: self.first_list() }, handles));
    }

    /// Opens again what was requested last, whatever became of it.
    pub fn open_again(self) {
        let opening = self.openings.with_value(|it| it.requested.clone());
        opening.into_iter().for_each(|opening| self.open_with(opening));
    }

    /// Opens what is open again, with higher bounds on unpacking.
    pub fn raise_open(self, limits: UnpackLimits) {
        let opening = self.openings.with_value(|it| it.open.clone());
        opening.into_iter().for_each(|opening| self.open_with(Opening { limits, ..opening }));
    }

    /// Opens what could not be opened, with higher bounds on unpacking.
    pub fn raise_requested(self, limits: UnpackLimits) {
        let opening = self.openings.with_value(|it| it.requested.clone());
        opening.into_iter().for_each(|opening| self.open_with(Opening { limits, ..opening }));
    }

    /// Notes that the viewer failed with an address open, if it did in this tab; then the address is not opened.
    pub fn stopped_at(self, address: &str) -> bool {
        let stopped = recovery::stopped_at(address);
        if stopped {
            let opening = Opening::new(Source::Address(address.to_owned()), Array::new());
            self.openings.update_value(|it| it.requested = Some(opening));
            self.phase.set(Phase::Stopped { name: address.to_owned(), reason: String::new() });
        }
        stopped
    }

    /// Shows why something is not even tried to be opened, and what to open instead.
    pub fn refuse(self, message: &str) {
        self.feedback.dialog.set(None);
        let hint = "Open a directory, a log, or a .gz or .zip of either.".to_owned();
        self.phase.set(Phase::Failed { message: message.to_owned(), hint, raise: None });
    }

    pub(super) fn opening_failed(self, message: String, hint: &str, raise: Option<Raise>) {
        recovery::survived();
        let canceled = self.openings.try_update_value(|it| {
            it.pending = None;
            it.canceled
        });
        if canceled.unwrap_or_default() {
            self.rest();
            self.feedback.notify(message);
        } else {
            let (message, hint) = (sentence(&message), sentence(hint));
            self.phase.set(Phase::Failed { message, hint, raise });
        }
    }

    /// Gives up on what is being opened.
    pub fn cancel(self) {
        recovery::survived();
        drop(self.request(Request::Cancel));
        self.openings.update_value(|it| it.canceled = true);
        self.rest();
    }

    /// Goes back to what is open, if anything is.
    pub fn rest(self) {
        let open = self.overview.with_untracked(Option::is_some);
        self.phase.set(if open { Phase::Ready } else { Phase::Empty });
    }
}
