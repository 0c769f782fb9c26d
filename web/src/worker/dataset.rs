//! What is open: the dataset, and the way to the next one.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::timers::future::TimeoutFuture;
use gloo::worker::{HandlerId, WorkerScope};
use js_sys::{Array, Date};

use super::chunks::Reader;
use super::listing::{self, Found, Listing};
use super::loading::{self, LoadError, LoadObserver, Stage};
use super::{ViewerWorker, sealed};
use crate::limits::UnpackLimits;
use crate::protocol::{Event, Format, FromWorker, List, Overview, Request, RequestError, Response, Source};
use huddle_web_model::dataset::Dataset;

/// How often a source that may change is looked at, in milliseconds.
const POLL_MS: f64 = 700.0;
/// How much longer than reading takes it waits to read again, so that most of the time is left for answers.
const BACKOFF: f64 = 8.0;
/// How many looks in a row may fail before a source is not followed any more.
const MAX_FAILED_POLLS: u32 = 8;
/// How long the page has to ask for something before there is more to do, in milliseconds.
const YIELD_MS: u32 = 30;
/// How often progress is told, in milliseconds.
const PROGRESS_MS: f64 = 250.0;

/// The dataset that is open.
pub(super) struct DatasetManager {
    scope: WorkerScope<ViewerWorker>,
    page: Cell<Option<HandlerId>>,
    dataset: RefCell<Option<Dataset>>,
    /// Counts openings: what was begun before the last one is no longer wanted.
    opening: Cell<u32>,
    /// Whether the last one is still going on.
    is_opening: Cell<bool>,
    /// Which of them the dataset comes from.
    opened: Cell<u32>,
    generation: Cell<u32>,
    /// What is open is called.
    name: RefCell<String>,
    /// The list of which the page wants the first rows with what is opened.
    first_list: Cell<Option<List>>,
    /// A thread that reads large files. It is started before there is any, because that takes a while.
    reader: Option<Rc<Reader>>,
}

impl DatasetManager {
    pub(super) fn new(scope: WorkerScope<ViewerWorker>) -> Self {
        Self {
            scope,
            page: Cell::default(),
            dataset: RefCell::default(),
            opening: Cell::default(),
            is_opening: Cell::default(),
            opened: Cell::default(),
            generation: Cell::default(),
            name: RefCell::default(),
            first_list: Cell::default(),
            reader: Reader::start().map(Rc::new),
        }
    }

    /// Takes note of the page.
    pub(super) fn connect(&self, page: HandlerId) {
        self.page.set(Some(page));
    }

    /// Responds to a request about what is open.
    pub(super) fn respond(&self, query: &str, request: &Request) -> Result<Response, RequestError> {
        self.dataset.borrow_mut().as_mut().ok_or_else(nothing_open)?.respond(query, request)
    }

    /// Returns the name and the content of a file with what the query finds.
    pub(super) fn save(&self, query: &str, format: Format) -> Result<(String, Vec<u8>), RequestError> {
        self.dataset.borrow_mut().as_mut().ok_or_else(nothing_open)?.save(&self.name.borrow(), query, format)
    }

    /// Gives up on what is being opened.
    pub(super) fn cancel(&self) -> Response {
        // No opening has this number.
        let opening = self.opening.replace(0);
        // It may have become ready while the page asked.
        if self.is_opening.get() {
            self.fail(match self.opened.get() == opening {
                true => "Reading was stopped: what is shown is only its beginning.",
                false => "Reading was stopped.",
            });
        }
        Response::Done
    }

    /// Opens a source, and follows it if it may change.
    pub(super) async fn open(
        &self,
        opening: u32,
        source: Source,
        limits: UnpackLimits,
        list: Option<List>,
        handles: Array,
    ) {
        self.opening.set(opening);
        self.first_list.set(list);
        self.is_opening.set(true);
        let begun = Date::now();
        let is_wanted = || self.opening.get() == opening;
        let found = match listing::find(&source, &handles).await {
            _ if !is_wanted() => return,
            Ok(found) => found,
            Err(error) => return self.fail(&error),
        };
        let Some(listing) = found.clone().unpacked(limits, &is_wanted).await else { return };
        if listing.files.is_empty() {
            return self.fail_without_files(listing);
        }
        let reporter = LoadReporter { datasets: self, listing: &listing, opening, begun, last: Cell::new(0.0) };
        match loading::read(&listing, &reporter).await {
            Ok(_) | Err(_) if self.opening.get() != opening => {}
            Err(LoadError::Unwanted) => {}
            Err(LoadError::Failed(error)) => self.fail(&error),
            Ok(read) => {
                let Some(took) = self.publish(read, &reporter).await else { return };
                self.is_opening.set(false);
                if listing.live {
                    self.follow(opening, (&source, &handles, limits), (found, listing), took).await;
                }
            }
        }
    }

    /// Shows a dataset that was read, and then all that follows from it; tells how long that took, if it is still wanted.
    async fn publish(&self, read: (Dataset, bool), reporter: &LoadReporter<'_>) -> Option<f64> {
        let (mut dataset, large) = read;
        let LoadReporter { listing, opening, begun, .. } = *reporter;
        if large {
            self.show(dataset, listing, Stage::Read, opening, Date::now() - begun);
            // What the page asks about it is answered first.
            TimeoutFuture::new(YIELD_MS).await;
            if self.opening.get() != opening {
                return None;
            }
            dataset = self.dataset.take()?;
        }
        if let Err(error) = dataset.derive(loading::now()) {
            self.fail(&format!("reading failed: {error}"));
            return None;
        }
        let took = Date::now() - begun;
        self.show(dataset, listing, Stage::Whole, opening, took);
        Some(took)
    }

    /// Looks again and again for what is new, as long as the dataset comes from there.
    async fn follow(
        &self,
        opening: u32,
        (source, handles, limits): (&Source, &Array, UnpackLimits),
        known: (Found, Listing),
        mut took: f64,
    ) {
        let (mut found, mut known) = known;
        let mut failed = 0;
        loop {
            TimeoutFuture::new(POLL_MS.max(took * BACKOFF) as u32).await;
            if self.opened.get() != opening {
                return;
            }
            // While something else is being opened, nobody is to take news of this for that.
            if self.is_opening.get() {
                continue;
            }
            // A directory that cannot be listed now may be there again in a moment.
            let Ok(now) = listing::find(source, handles).await else {
                failed += 1;
                if failed < MAX_FAILED_POLLS {
                    continue;
                }
                return self.stop_following(opening, known);
            };
            failed = 0;
            if now.is_same(&found) {
                continue;
            }
            let begun = Date::now();
            let is_wanted = || self.opened.get() == opening && !self.is_opening.get();
            let Some(listing) = now.clone().unpacked(limits, &is_wanted).await else { continue };
            let take = || if is_wanted() { self.dataset.take() } else { None };
            match loading::renew(&listing, &known, &take).await {
                Ok(Some(dataset)) => {
                    took = Date::now() - begun;
                    self.show(dataset, &listing, Stage::Whole, opening, took);
                    (found, known) = (now, listing);
                }
                Err(LoadError::Failed(error)) if self.dataset.borrow().is_none() => return self.fail(&error),
                // A file that was being replaced can be read the next time.
                Ok(None) | Err(_) => {}
            }
        }
    }

    /// Says that a source is not followed any more.
    fn stop_following(&self, opening: u32, mut listing: Listing) {
        if self.opened.get() != opening || self.is_opening.get() {
            return;
        }
        let Some(dataset) = self.dataset.take() else { return };
        listing.live = false;
        self.show(dataset, &listing, Stage::Whole, opening, 0.0);
        self.tell(Event::Failed {
            message: format!("{} can no longer be read; new messages will not appear.", listing.name),
            hint: "What was read stays. Open it again to follow it.".to_owned(),
            raise: None,
        });
    }

    fn show(&self, mut dataset: Dataset, listing: &Listing, stage: Stage, opening: u32, took: f64) {
        self.generation.set(self.generation.get() + 1);
        self.opened.set(opening);
        let overview = loading::overview(&dataset, listing, stage, took);
        let overview = Overview { generation: self.generation.get(), opening, ..overview };
        dataset.list();
        self.name.borrow_mut().clone_from(&listing.name);
        // Rows that cannot be read will be requested, and then it is told why.
        let rows = self.first_list.get().and_then(|list| dataset.first_rows(list).ok());
        if stage == Stage::Whole {
            self.first_list.set(None);
        }
        self.tell(Event::Ready(Box::new(overview), rows));
        *self.dataset.borrow_mut() = Some(dataset);
    }

    fn fail(&self, message: &str) {
        self.is_opening.set(false);
        let hint = "Open a directory, a log, or a .gz or .zip of either.".to_owned();
        self.tell(Event::Failed { message: message.to_owned(), hint, raise: None });
    }

    /// Says why there is nothing to read: the reason may be a bound.
    fn fail_without_files(&self, listing: Listing) {
        let Some(first) = listing.diagnostics.into_iter().next() else { return self.fail("There are no files in it.") };
        self.is_opening.set(false);
        self.tell(Event::Failed { message: first.message, hint: first.remedy.to_string(), raise: listing.raise });
    }

    fn tell(&self, event: Event) {
        if let Some(page) = self.page.get() {
            self.scope.respond(page, sealed(&FromWorker::Event(event)));
        }
    }
}

fn nothing_open() -> RequestError {
    RequestError::Failed("nothing is open".to_owned())
}

/// Passes on what is heard of an opening, as long as it is the last one.
struct LoadReporter<'a> {
    datasets: &'a DatasetManager,
    listing: &'a Listing,
    opening: u32,
    begun: f64,
    /// When progress was last told.
    last: Cell<f64>,
}

impl LoadObserver for LoadReporter<'_> {
    fn progress(&self, tell: Event) -> bool {
        let is_wanted = self.datasets.opening.get() == self.opening;
        if is_wanted && Date::now() - self.last.get() >= PROGRESS_MS {
            self.last.set(Date::now());
            self.datasets.tell(tell);
        }
        is_wanted
    }

    fn beginning(&self, dataset: Dataset) {
        if self.datasets.opening.get() == self.opening {
            self.datasets.show(dataset, self.listing, Stage::Beginning, self.opening, Date::now() - self.begun);
        }
    }

    fn reader(&self) -> Option<Rc<Reader>> {
        self.datasets.reader.clone()
    }
}
