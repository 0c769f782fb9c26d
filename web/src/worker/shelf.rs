//! The shelf: the one book that is open, and the way to the next.

use std::cell::{Cell, RefCell};

use gloo::timers::future::TimeoutFuture;
use gloo::worker::{HandlerId, WorkerScope};
use js_sys::{Array, Date};

use super::book::Book;
use super::listing::{self, Listing};
use super::open::{self, Heard, Stage, Stopped};
use super::{Librarian, sealed};
use crate::protocol::{Answer, Ask, Source, Tell, encode};

/// How often a source that may change is looked at, in milliseconds.
const LOOK: f64 = 700.0;
/// How much longer than reading takes it waits to read again, so that most of the time is left for answers.
const REST: f64 = 8.0;
/// How long the page has to ask about what was read before what follows from it is found out, in milliseconds.
const BREATH: u32 = 30;
/// How often progress is told, in milliseconds.
const TELL: f64 = 50.0;

/// The book that is open.
pub(super) struct Shelf {
    scope: WorkerScope<Librarian>,
    page: Cell<Option<HandlerId>>,
    book: RefCell<Option<Book>>,
    /// Counts openings: what was begun before the last one is no longer wanted.
    opening: Cell<u32>,
    generation: Cell<u32>,
}

impl Shelf {
    pub(super) fn new(scope: WorkerScope<Librarian>) -> Self {
        let (page, book) = (Cell::new(None), RefCell::new(None));
        Self { scope, page, book, opening: Cell::new(0), generation: Cell::new(0) }
    }

    /// Takes note of the page.
    pub(super) fn hello(&self, page: HandlerId) {
        self.page.set(Some(page));
    }

    /// Answers a question about what is open.
    pub(super) fn answer(&self, ask: &Ask) -> Answer {
        match &mut *self.book.borrow_mut() {
            Some(book) => book.answer(ask),
            None => Answer::Failed("nothing is open".to_owned()),
        }
    }

    /// Gives up on what is being opened.
    pub(super) fn cancel(&self) -> Answer {
        self.opening.set(self.opening.get() + 1);
        let message = match self.book.borrow().is_some() {
            true => "Reading was stopped: what is shown may be only a part.",
            false => "Reading was stopped.",
        };
        self.fail(message);
        Answer::Done
    }

    /// Opens a source, and follows it if it may change.
    pub(super) async fn open(&self, source: Source, things: Array) {
        let opening = self.opening.get() + 1;
        self.opening.set(opening);
        let begun = Date::now();
        let listing = match listing::list(&source, &things).await {
            Ok(listing) => listing,
            Err(error) => return self.fail(&error),
        };
        if listing.files.is_empty() {
            return self.fail("There are no files in it.");
        }
        let last = Cell::new(0.0);
        let hear = |heard| {
            match heard {
                _ if self.opening.get() != opening => return false,
                Heard::Beginning(book) => self.show(*book, &listing, Stage::Beginning, Date::now() - begun),
                Heard::Told(_) if Date::now() - last.get() < TELL => {}
                Heard::Told(tell) => {
                    last.set(Date::now());
                    self.tell(&tell);
                }
            }
            true
        };
        match open::read(&listing, &hear).await {
            Ok(_) | Err(_) if self.opening.get() != opening => {}
            Err(Stopped::Unwanted) => {}
            Err(Stopped::Failed(error)) => self.fail(&error),
            Ok(read) => {
                let Some(took) = self.settle(read, &listing, opening, begun).await else { return };
                if listing.live {
                    self.follow(opening, &source, &things, listing, took).await;
                }
            }
        }
    }

    /// Shows a book that was read, and then all that follows from it; tells how long that took, if it is still wanted.
    async fn settle(&self, read: (Book, bool), listing: &Listing, opening: u32, begun: f64) -> Option<f64> {
        let (mut book, large) = read;
        if large {
            self.show(book, listing, Stage::Read, Date::now() - begun);
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
        self.show(book, listing, Stage::Whole, took);
        Some(took)
    }

    /// Looks again and again for what is new, until something else is opened.
    async fn follow(&self, opening: u32, source: &Source, things: &Array, mut known: Listing, mut took: f64) {
        loop {
            TimeoutFuture::new(LOOK.max(took * REST) as u32).await;
            if self.opening.get() != opening {
                return;
            }
            // A directory that cannot be listed now may be there again later.
            let Ok(listing) = listing::list(source, things).await else { continue };
            let same = listing.files.len() == known.files.len()
                && listing.files.iter().zip(&known.files).all(|(new, old)| open::is_same(new, old));
            if same {
                continue;
            }
            let begun = Date::now();
            let take = || if self.opening.get() == opening { self.book.take() } else { None };
            match open::renew(&listing, &known, &take).await {
                Ok(Some(book)) => {
                    took = Date::now() - begun;
                    self.show(book, &listing, Stage::Whole, took);
                    known = listing;
                }
                Ok(None) => return,
                Err(Stopped::Failed(error)) if self.book.borrow().is_none() => return self.fail(&error),
                // A file that was being replaced can be read the next time.
                Err(_) => {}
            }
        }
    }

    fn show(&self, book: Book, listing: &Listing, stage: Stage, took: f64) {
        self.generation.set(self.generation.get() + 1);
        let overview = open::overview(&book, listing, stage, self.generation.get(), took);
        *self.book.borrow_mut() = Some(book);
        self.tell(&Tell::Ready(Box::new(overview)));
    }

    fn fail(&self, message: &str) {
        let hint = "Open a directory, a log, or a .gz or .zip of either.".to_owned();
        self.tell(&Tell::Failed { message: message.to_owned(), hint });
    }

    fn tell(&self, tell: &Tell) {
        if let Some(page) = self.page.get() {
            self.scope.respond(page, sealed(0, &encode(tell)));
        }
    }
}
