//! `huddle view`

use huddle_core::bus::ErrorKind;

use crate::args::{Args, Spec, any, flag, option};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle view",
    "Show projects, sessions and logs in the browser, and follow them as they grow",
    &[
        any("PATH", "a project, a session's directory, or a log; this project if there is none"),
        option("port", "N", "the port of 127.0.0.1 to listen on; any free one by default"),
        flag("no-open", "print the address without opening a browser"),
    ],
    run,
)
.more(
    "\
Serves the viewer until it is ended, to this machine only, and reads only: the page, and the files that history would
read of each PATH. Nothing that the page shows leaves the browser.
Only the native command has it, as `cargo xtask build` makes it: dist/huddle.",
);

#[cfg(all(feature = "viewer", not(target_os = "wasi")))]
fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    use huddle_core::model::Json;
    use huddle_view::{Page, Server, Sources};

    let page = Page::embedded().ok_or_else(no_viewer)?;
    let port = args.read("port", |text| text.parse().map_err(|_| "give a number below 65536".to_owned()))?;
    let paths = paths(args, call)?;
    let started = Sources::open(&paths).and_then(|sources| Server::start(page, sources, port.unwrap_or(0)));
    let server = started.map_err(|error| {
        let hint = match error {
            huddle_view::Error::Listen { .. } => "choose another port with --port, or leave it out",
            _ => "",
        };
        Failure::new(ErrorKind::Failed, error.to_string(), hint)
    })?;
    let address = server.sources_url();
    let given = args.all("PATH");
    let shown = if given.is_empty() { call.global.root.display().to_string() } else { given.join(", ") };
    call.output.answer(
        || Json::from_iter([("address", address.as_str())]),
        || format!("Huddle shows {shown} at {address}\nCtrl+C ends it"),
    )?;
    if !args.has("no-open")
        && let Err(error) = server.open_browser()
    {
        call.output.aside(&format!("no browser could be opened: {error}\nhint: open the address above in one"));
    }
    server.wait();
    Ok(())
}

/// Returns the paths to show, none of which is a link out of the project or the working directory.
#[cfg(all(feature = "viewer", not(target_os = "wasi")))]
fn paths(args: &Args, call: &Call<'_>) -> Result<Vec<std::path::PathBuf>, Failure> {
    use crate::files::{Located, unreadable};
    use crate::std_fs::StdFs;

    let paths = args.all("PATH");
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

#[cfg(not(all(feature = "viewer", not(target_os = "wasi"))))]
fn run(_: &Args, _: &mut Call<'_>) -> Result<(), Failure> {
    Err(no_viewer())
}

fn no_viewer() -> Failure {
    let message = match cfg!(target_os = "wasi") {
        true => "a WebAssembly component cannot serve the viewer: only the native command can",
        false => "this build of the command has no viewer",
    };
    let hint = "`cargo xtask build` makes a native command that has it: dist/huddle view";
    Failure::new(ErrorKind::Usage, message, hint)
}
