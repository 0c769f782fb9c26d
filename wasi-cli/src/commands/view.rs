//! `huddle view`

use huddle_core::model::ErrorKind;

use crate::call::Call;
use crate::failure::Failure;

/// Show projects, sessions and logs in the browser, and follow them as they grow
///
/// Serves the viewer until it is ended, to this machine only, and reads only: the page, and the files that history would
/// read of each PATH. Nothing that the page shows leaves the browser.
/// Only the native command has it, as `cargo xtask build` makes it: dist/huddle.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ViewArgs {
    /// a project, a session's directory, or a log; this project if there is none
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// the port of 127.0.0.1 to listen on; any free one by default
    #[arg(long, value_name = "N", value_parser = port)]
    port: Option<u16>,
    /// print the address without opening a browser
    #[arg(long)]
    no_open: bool,
}

fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "give a number below 65536".to_owned())
}

#[cfg(all(feature = "viewer", not(target_os = "wasi")))]
#[derive(serde::Serialize)]
struct Served {
    address: String,
}

impl ViewArgs {
    #[cfg(all(feature = "viewer", not(target_os = "wasi")))]
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        use huddle_view::{Page, Server, Sources};

        let page = Page::embedded().ok_or_else(no_viewer)?;
        let paths = locate(&self.paths, call)?;
        let started = Sources::open(&paths).and_then(|sources| Server::start(page, sources, self.port.unwrap_or(0)));
        let server = started.map_err(|error| {
            let hint = match error {
                huddle_view::Error::Listen { .. } => "choose another port with --port, or leave it out",
                _ => "",
            };
            Failure::new(ErrorKind::Failed, error.to_string(), hint)
        })?;
        let served = Served { address: server.sources_url().to_string() };
        let shown = match &self.paths[..] {
            [] => call.global.root.display().to_string(),
            paths => paths.join(", "),
        };
        call.answer(&served, |served| format!("Huddle shows {shown} at {}\nCtrl+C ends it", served.address))?;
        if !self.no_open
            && let Err(error) = server.open_browser()
        {
            call.output.aside(&format!("no browser could be opened: {error}\nhint: open the address above in one"));
        }
        server.wait();
        Ok(())
    }

    #[cfg(not(all(feature = "viewer", not(target_os = "wasi"))))]
    pub(super) fn run(self, _: &mut Call<'_>) -> Result<(), Failure> {
        Err(no_viewer())
    }
}

/// Returns the paths to show, none of which is a link out of the project or the working directory.
#[cfg(all(feature = "viewer", not(target_os = "wasi")))]
fn locate(paths: &[String], call: &Call<'_>) -> Result<Vec<std::path::PathBuf>, Failure> {
    use crate::files::{Located, unreadable};
    use crate::std_fs::StdFs;

    if paths.is_empty() && call.global.bus.is_some() {
        let hint =
            "write the bus to files first: huddle export --to jsonl --out bus.jsonl; then: huddle view bus.jsonl";
        return Err(Failure::new(ErrorKind::Usage, "the viewer shows files, not a bus in MongoDB", hint));
    }
    if paths.is_empty() {
        crate::project::reach(&call.global.root)?;
        return Ok(vec![call.global.root.clone()]);
    }
    let locate = |path: &String| {
        let Located { dir, below } = call.input.files().locate(path)?;
        StdFs::new(&dir).kind(&below).map_err(|error| unreadable(path, &error))?;
        Ok(dir.join(below))
    };
    paths.iter().map(locate).collect()
}

fn no_viewer() -> Failure {
    let message = match cfg!(target_os = "wasi") {
        true => "a WebAssembly component cannot serve the viewer: only the native command can",
        false => "this build of the command has no viewer",
    };
    let hint = "`cargo xtask build` makes a native command that has it: dist/huddle view";
    Failure::new(ErrorKind::Usage, message, hint)
}
