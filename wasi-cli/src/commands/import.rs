//! `huddle import`

use huddle_api::import_documents;

use super::migrate::ProgressText;
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Take messages into the bus that mongoexport, or huddle export --to documents, has written
///
/// Each copy comes as it is: read or not, in inbox, archive or dead letters. What is there already stays, so a second
/// import changes nothing. Agents that are not known are registered. What cannot be read is told by its line.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ImportArgs {
    /// the documents: one a line or in a list, Extended JSON of either kind; - for standard input
    file: String,
}

impl ImportArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let bytes = call.input.export(&self.file)?;
        let output = &mut call.output;
        let mut text = ProgressText::new(!call.global.json);
        let imported =
            import_documents(&bytes, &self.file, &mut call.context, &mut |progress| text.show(output, progress));
        call.output.found(call.context.take_diagnostics());
        call.answer(&imported?, |imported| {
            let who = match &imported.registered[..] {
                [] => String::new(),
                names => format!("\n   Registered: {}", text::list(names)),
            };
            let (new, all) =
                (text::count(imported.new_copies, "new copy"), text::count(imported.documents, "document"));
            format!("📥 {new} of messages from {all}{who}")
        })
    }
}
