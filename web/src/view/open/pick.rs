//! Choosing what to open: the browser's dialog for directories, and inputs for files.

use gloo::utils::{document, window};
use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Event, File, FileList, HtmlInputElement};

use crate::dom::{El, el};
use crate::protocol::Source;
use crate::store::Store;
use huddle_web_model::files::name_for;

const DIRECTORY: &str = "pick-directory";
const FILES: &str = "pick-files";

/// Lets the reader choose a directory, one that can be followed where the browser has such.
pub fn pick_directory(store: Store) {
    let Some(picker) = method(window().as_ref(), "showDirectoryPicker") else { return press(DIRECTORY) };
    let Ok(promise) = picker.call0(&window()).and_then(JsCast::dyn_into::<Promise>) else { return press(DIRECTORY) };
    spawn_local(async move {
        match JsFuture::from(promise).await {
            Ok(handle) => store.open(Source::Handles, Array::of1(&handle)),
            // Closing the dialog is no failure.
            Err(error) if name_of(&error) == "AbortError" => {}
            Err(_) => press(DIRECTORY),
        }
    });
}

/// Lets the reader choose files.
pub fn pick_files() {
    press(FILES);
}

fn press(id: &str) {
    if let Some(input) =
        document().get_element_by_id(id).and_then(|element| element.dyn_into::<HtmlInputElement>().ok())
    {
        input.click();
    }
}

/// Gives a method, if there is one of that name.
pub(super) fn method(of: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(of, &name.into()).ok()?.dyn_into().ok()
}

fn name_of(error: &JsValue) -> String {
    Reflect::get(error, &"name".into()).ok().and_then(|name| name.as_string()).unwrap_or_default()
}

/// Gives the path of a file in the directory that was chosen, or its name.
pub(super) fn path_of(file: &File) -> String {
    let path = Reflect::get(file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
    path.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}

/// Opens files that are known by their paths.
pub(super) fn open_files(store: Store, files: &[(String, File)]) {
    if files.is_empty() {
        return store.refuse("There are no files in it.");
    }
    let paths: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
    let things: Array = files.iter().map(|(_, file)| file).collect();
    store.open(Source::Files { name: name_for(&paths), paths }, things);
}

/// Draws the inputs; they are pressed by others and not seen.
pub fn pickers(store: Store) -> El {
    let input = |id: &str, name: &str| {
        let input = el("input").attr("id", id).attr("type", "file").attr("aria-label", name).flag("multiple", true);
        input.on("change", move |event| chosen(store, &event))
    };
    let directory = input(DIRECTORY, "Directory to open").flag("webkitdirectory", true);
    let files = input(FILES, "Files to open").attr("accept", ".jsonl,.ndjson,.json,.log,.txt,.md,.gz,.zip");
    el("div").flag("hidden", true).with(directory).with(files)
}

fn chosen(store: Store, event: &Event) {
    let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) else { return };
    let files = listed(input.files());
    // So that choosing the same again is a change.
    input.set_value("");
    open_files(store, &files);
}

/// Gives the files of a list with their paths.
pub(super) fn listed(list: Option<FileList>) -> Vec<(String, File)> {
    let mut files = Vec::new();
    if let Some(list) = list {
        for file in (0..list.length()).filter_map(|place| list.get(place)) {
            files.push((path_of(&file), file));
        }
    }
    files
}
