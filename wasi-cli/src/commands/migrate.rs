//! `huddle migrate`

use std::path::{Path, PathBuf};

use huddle_api::{BusMigrated, MigratedKind, migrate_bus};
use huddle_core::migrate::Progress;

use crate::call::Call;
use crate::failure::Failure;
use crate::global::Global;
use crate::output::Output;
use crate::project::{self, BUS_DIR, Places};
use crate::text;

/// Move a whole bus from files to MongoDB or back, and compare both
///
/// Messages go with their receipts and places, contexts, handoffs with their files, and the agents. The source stays as
/// it is. What is there already is left: a move that was interrupted is finished by the same command.
/// At the end both are read and compared, kind by kind; nobody should write to either meanwhile.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct MigrateArgs {
    /// the bus to move: a project's directory, or mongodb://HOST/DATABASE
    #[arg(long, value_name = "PLACE")]
    from: String,
    /// where to: a directory or an address; a bus is made if there is none
    #[arg(long, value_name = "PLACE")]
    to: String,
}

impl MigrateArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        call.context.check_directory();
        call.output.found(call.context.take_diagnostics());
        let (from, to) = (places(call.global, &self.from)?, places(call.global, &self.to)?);
        let open = |places| project::open(places, call.project.host(), call.global.lock_wait);
        let (from, to) = (open(&from), open(&to));
        if from.bus_place() == to.bus_place() {
            return Err(call.wrong("--from and --to are the same place"));
        }
        to.set_lock_owner("huddle migrate");
        let output = &mut call.output;
        let mut text = ProgressText::new(!call.global.json);
        let migrated = migrate_bus(&from, &to, &mut call.context, &mut |progress| text.show(output, progress));
        call.output.found(call.context.take_diagnostics());
        call.answer(&migrated?, summary)
    }
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

/// The progress as text: a line for each tenth, and nothing of what is done in a moment.
pub(super) struct ProgressText {
    is_wanted: bool,
    tenth: usize,
}

impl ProgressText {
    /// Nothing of what is smaller than this takes long.
    const LONG: usize = 1000;

    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, tenth: 0 }
    }

    pub(super) fn show(&mut self, output: &mut Output<'_>, Progress { doing, done, of }: Progress) {
        let tenth = (done * 10).checked_div(of).unwrap_or_default();
        if self.is_wanted && of >= Self::LONG && tenth != self.tenth {
            output.aside(&format!("{doing}: {done} of {of}"));
        }
        self.tenth = tenth;
    }
}

fn summary(BusMigrated { from, to, new_copies, kinds, .. }: &BusMigrated) -> String {
    let new = match new_copies {
        0 => "nothing was missing there".to_owned(),
        new => format!("{} of messages", text::count(*new, "new copy")),
    };
    let mut rows = vec![text::row([&"KIND", &"COUNT", &"HASH"])];
    let row = |MigratedKind { kind, count, hash, .. }: &MigratedKind| text::row([kind, count, hash]);
    rows.extend(kinds.iter().map(row));
    format!("✅ Moved, compared and the same: {from} → {to} ({new})\n{}", text::table(&rows))
}
