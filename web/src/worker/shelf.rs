//! The shelf: the one book that is open, and the way to the next.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::timers::future::TimeoutFuture;
use gloo::worker::{HandlerId, WorkerScope};
use js_sys::{Array, Date};

use super::feed::Reader;
use super::listing::{self, Found, Listing};
use super::open::{self, Hear, Stage, Stopped};
use super::{ViewerWorker, sealed};
use crate::limits::UnpackLimits;
use crate::protocol::{Event, Format, FromWorker, Overview, Request, RequestError, Response, Source};
use huddle_web_model::dataset::Dataset;

/// How often a source that may change is looked at, in milliseconds.
const LOOK: f64 = 700.0;
/// How much longer than reading takes it waits to read again, so that most of the time is left for answers.
const REST: f64 = 8.0;
/// How many looks in a row may fail before a source is not followed any more.
const FAILED: u32 = 8;
/// How long the page has to ask for something before there is more to do, in milliseconds.
const BREATH: u32 = 30;
/// How often progress is told, in milliseconds.
const TELL: f64 = 250.0;

/// The book that is open.
pub(super) struct Shelf {
    scope: WorkerScope<ViewerWorker>,
    page: Cell<Option<HandlerId>>,
    book: RefCell<Option<Dataset>>,
    /// Counts openings: what was begun before the last one is no longer wanted.
    opening: Cell<u32>,
    /// Whether the last one is still going on.
    is_opening: Cell<bool>,
    /// Which of them the book comes from.
    opened: Cell<u32>,
    /// Whether the page has drawn what is in the book.
    is_drawn: Cell<bool>,
    generation: Cell<u32>,
    /// A thread that reads large files. It is started before there is any, because that takes a while.
    reader: Option<Rc<Reader>>,
}

impl Shelf {
    pub(super) fn new(scope: WorkerScope<ViewerWorker>) -> Self {
        Self {
            scope,
            page: Cell::default(),
            book: RefCell::default(),
            opening: Cell::default(),
            is_opening: Cell::default(),
            opened: Cell::default(),
            is_drawn: Cell::default(),
            generation: Cell::default(),
            reader: Reader::start().map(Rc::new),
        }
    }

    /// Takes note of the page, and gets ready as long as nothing is to be opened.
    pub(super) async fn hello(&self, page: HandlerId) {
        self.page.set(Some(page));
        TimeoutFuture::new(BREATH).await;
        if self.opening.get() == 0 {
            open::warm_up();
        }
    }

    /// Responds to a request about what is open.
    pub(super) fn respond(&self, request: &Request) -> Result<Response, RequestError> {
        self.book.borrow_mut().as_mut().ok_or_else(nothing_open)?.respond(request)
    }

    /// Returns the name and the content of a file with what the query finds.
    pub(super) fn save(&self, format: Format) -> Result<(String, Vec<u8>), RequestError> {
        self.book.borrow_mut().as_mut().ok_or_else(nothing_open)?.save(format)
    }

    /// Takes note that the page has drawn what is open.
    pub(super) fn drawn(&self) -> Response {
        self.is_drawn.set(true);
        Response::Done
    }

    /// Gives up on what is being opened.
    pub(super) fn cancel(&self) -> Response {
        let opening = self.opening.replace(self.opening.get() + 1);
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
    pub(super) async fn open(&self, source: Source, limits: UnpackLimits, things: Array) {
        let opening = self.opening.get() + 1;
        self.opening.set(opening);
        self.is_opening.set(true);
        let begun = Date::now();
        let is_wanted = || self.opening.get() == opening;
        let found = match listing::find(&source, &things).await {
            _ if !is_wanted() => return,
            Ok(found) => found,
            Err(error) => return self.fail(&error),
        };
        let Some(listing) = found.clone().unpacked(limits, &is_wanted).await else { return };
        if listing.files.is_empty() {
            return self.fail_without_files(listing);
        }
        let hearing = Hearing { shelf: self, listing: &listing, opening, begun, last: Cell::new(0.0) };
        match open::read(&listing, &hearing).await {
            Ok(_) | Err(_) if self.opening.get() != opening => {}
            Err(Stopped::Unwanted) => {}
            Err(Stopped::Failed(error)) => self.fail(&error),
            Ok(read) => {
                let Some(took) = self.settle(read, &hearing).await else { return };
                self.is_opening.set(false);
                if listing.live {
                    self.follow(opening, (&source, &things, limits), (found, listing), took).await;
                }
            }
        }
    }

    /// Shows a book that was read, and then all that follows from it; tells how long that took, if it is still wanted.
    async fn settle(&self, read: (Dataset, bool), hearing: &Hearing<'_>) -> Option<f64> {
        let (mut book, large) = read;
        let Hearing { listing, opening, begun, .. } = *hearing;
        if large {
            self.show(book, listing, Stage::Read, opening, Date::now() - begun);
            // What the page asks about it is answered first.
            TimeoutFuture::new(BREATH).await;
            if self.opening.get() != opening {
                return None;
            }
            book = self.book.take()?;
        }
        if let Err(error) = book.derive(open::now()) {
            self.fail(&format!("reading failed: {error}"));
            return None;
        }
        let took = Date::now() - begun;
        self.show(book, listing, Stage::Whole, opening, took);
        Some(took)
    }

    /// Looks again and again for what is new, as long as the book comes from there.
    async fn follow(
        &self,
        opening: u32,
        (source, things, limits): (&Source, &Array, UnpackLimits),
        known: (Found, Listing),
        mut took: f64,
    ) {
        let (mut found, mut known) = known;
        let mut failed = 0;
        loop {
            TimeoutFuture::new(LOOK.max(took * REST) as u32).await;
            if self.opened.get() != opening {
                return;
            }
            // While something else is being opened, nobody is to take news of this for that.
            if self.is_opening.get() {
                continue;
            }
            // A directory that cannot be listed now may be there again in a moment.
            let Ok(now) = listing::find(source, things).await else {
                failed += 1;
                if failed < FAILED {
                    continue;
                }
                return self.leave_alone(opening, known);
            };
            failed = 0;
            if now.is_same(&found) {
                continue;
            }
            let begun = Date::now();
            let is_wanted = || self.opened.get() == opening && !self.is_opening.get();
            let Some(listing) = now.clone().unpacked(limits, &is_wanted).await else { continue };
            let take = || if is_wanted() { self.book.take() } else { None };
            match open::renew(&listing, &known, &take).await {
                Ok(Some(book)) => {
                    took = Date::now() - begun;
                    self.show(book, &listing, Stage::Whole, opening, took);
                    (found, known) = (now, listing);
                }
                Err(Stopped::Failed(error)) if self.book.borrow().is_none() => return self.fail(&error),
                // A file that was being replaced can be read the next time.
                Ok(None) | Err(_) => {}
            }
        }
    }

    /// Says that a source is not followed any more.
    fn leave_alone(&self, opening: u32, mut listing: Listing) {
        if self.opened.get() != opening || self.is_opening.get() {
            return;
        }
        let Some(book) = self.book.take() else { return };
        listing.live = false;
        self.show(book, &listing, Stage::Whole, opening, 0.0);
        self.tell(Event::Failed {
            message: "It cannot be looked at any more, so nothing new appears.".to_owned(),
            hint: "What was read stays. Open it again to follow it.".to_owned(),
            raise: None,
        });
    }

    fn show(&self, mut book: Dataset, listing: &Listing, stage: Stage, opening: u32, took: f64) {
        self.generation.set(self.generation.get() + 1);
        self.opened.set(opening);
        self.is_drawn.set(false);
        let overview = open::overview(&book, listing, stage, took);
        let overview = Overview { generation: self.generation.get(), opening, ..overview };
        // The page can draw that much while messages are listed.
        self.tell(Event::Ready(Box::new(overview)));
        book.list();
        *self.book.borrow_mut() = Some(book);
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
        self.tell(Event::Failed { message: first.message, hint: first.hint, raise: listing.raise });
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
struct Hearing<'a> {
    shelf: &'a Shelf,
    listing: &'a Listing,
    opening: u32,
    begun: f64,
    /// When progress was last told.
    last: Cell<f64>,
}

impl Hear for Hearing<'_> {
    fn progress(&self, tell: Event) -> bool {
        let is_wanted = self.shelf.opening.get() == self.opening;
        if is_wanted && Date::now() - self.last.get() >= TELL {
            self.last.set(Date::now());
            self.shelf.tell(tell);
        }
        is_wanted
    }

    fn beginning(&self, book: Dataset) {
        if self.shelf.opening.get() == self.opening {
            self.shelf.show(book, self.listing, Stage::Beginning, self.opening, Date::now() - self.begun);
        }
    }

    fn is_drawn(&self) -> bool {
        self.shelf.is_drawn.get()
    }

    fn reader(&self) -> Option<Rc<Reader>> {
        self.shelf.reader.clone()
    }
}
