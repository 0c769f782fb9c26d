//! `huddle migrate`

use std::path::{Path, PathBuf};

use huddle_core::migrate::{self, KindSummary, MigrationSummary, Progress};
use huddle_core::wire::answer;

use crate::args::{Args, Global, Spec, needed};
use crate::call::Call;
use crate::failure::Failure;
use crate::output::Output;
use crate::project::{BUS_DIR, Places, Project};
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle migrate",
    "Move a whole bus from files to MongoDB or back, and compare both",
    &[
        needed("from", "PLACE", "the bus to move: a project's directory, or mongodb://HOST/DATABASE"),
        needed("to", "PLACE", "where to: a directory or an address; a bus is made if there is none"),
    ],
    run,
)
.more(
    "Messages go with their receipts and places, contexts, handoffs with their files, and the agents. The source stays as\n\
     it is. What is there already is left: a move that was interrupted is finished by the same command.\n\
     At the end both are read and compared, kind by kind; nobody should write to either meanwhile.",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let [from, to] = ["from", "to"].map(|side| places(call.global, args.need(side)));
    let (from, to) = (from?, to?);
    let open = |places| Project::open(places, call.project.host, call.global.lock_wait);
    let (from, to) = (open(&from), open(&to));
    if from.bus_place == to.bus_place {
        return Err(args.wrong("--from and --to are the same place"));
    }
    to.set_lock_owner("huddle migrate");
    let output = &mut call.output;
    let mut told = Told::new(!call.global.json);
    let found = migrate::migrate(from.engine(), to.engine(), &mut |progress| told.tell(output, progress))?;
    let moved = call.value(found);
    call.output.answer(
        || answer::migrated(from.bus_place, to.bus_place, &moved),
        || summary(from.bus_place, to.bus_place, &moved),
    )
}

/// Finds a place: an address, or the directory of a project.
fn places(global: &Global, place: &str) -> Result<Places, Failure> {
    let (bus, root) = match place {
        // One with a slip in it is for whoever reads addresses to refuse, and no directory.
        address if address.contains("://") || address.starts_with("mongodb:") => {
            (Some(address.to_owned()), global.root.clone())
        }
        // Whoever names the bus itself means the project that it is in.
        dir if Path::new(dir).ends_with(BUS_DIR) => (None, above(dir)),
        dir => (None, PathBuf::from(dir)),
    };
    Places::of(&Global { bus, root, ..global.clone() })
}

fn above(dir: &str) -> PathBuf {
    let above = Path::new(dir).parent().filter(|above| !above.as_os_str().is_empty());
    above.unwrap_or(Path::new(".")).to_owned()
}

/// What was told of how it is going: a line for each tenth, and nothing of what is done in a moment.
pub(super) struct Told {
    is_wanted: bool,
    tenth: usize,
}

impl Told {
    /// Nothing of what is smaller than this takes long.
    const LONG: usize = 1000;

    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, tenth: 0 }
    }

    pub(super) fn tell(&mut self, output: &mut Output<'_>, Progress { doing, done, of }: Progress) {
        let tenth = (done * 10).checked_div(of).unwrap_or_default();
        if self.is_wanted && of >= Self::LONG && tenth != self.tenth {
            output.aside(&format!("{doing}: {done} of {of}"));
        }
        self.tenth = tenth;
    }
}

fn summary(from: &str, to: &str, moved: &MigrationSummary) -> String {
    let new = match moved.new_copies {
        0 => "nothing was missing there".to_owned(),
        new => format!("{} of messages", text::count(new, "new copy")),
    };
    let mut rows = vec![text::row([&"KIND", &"COUNT", &"HASH"])];
    let row = |KindSummary { kind, count, hash, .. }: &KindSummary| text::row([kind, count, hash]);
    rows.extend(moved.kinds.iter().map(row));
    format!("✅ Moved, compared and the same: {from} → {to} ({new})\n{}", text::table(&rows))
}
