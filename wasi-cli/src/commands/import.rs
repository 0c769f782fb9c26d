//! `huddle import`

use huddle_core::history::export::snapshot_of;
use huddle_core::migrate;
use huddle_core::wire::answer;

use super::migrate::Told;
use crate::args::{Args, Spec, must};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle import",
    "Take messages into the bus that mongoexport, or huddle export --to documents, has written",
    &[must("FILE", "the documents: one a line or in a list, Extended JSON of either kind; - for standard input")],
    run,
)
.more(
    "Each copy comes as it is: read or not, in inbox, archive or dead letters. What is there already stays, so a second\n\
     import changes nothing. Agents that are not known are registered. What cannot be read is told by its line.",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let file = args.need("FILE");
    let bytes = call.input.export(file)?;
    let documents = call.value(migrate::documents_in(&bytes, file));
    let read = documents.len();
    let snapshot = call.value(snapshot_of(documents));
    let copies = snapshot.deliveries.len();
    let output = &mut call.output;
    let mut told = Told::new(!call.global.json);
    let engine = call.project.engine();
    let taken = migrate::import(engine, &snapshot, &mut |progress| told.tell(output, progress))?;
    let taken = call.value(taken);
    call.output.answer(
        || answer::imported(read, copies, &taken),
        || {
            let who = match &taken.registered[..] {
                [] => String::new(),
                names => format!("\n   Registered: {}", text::list(names)),
            };
            let (new, all) = (text::count(taken.new_copies, "new copy"), text::count(read, "document"));
            format!("📥 {new} of messages from {all}{who}")
        },
    )
}
