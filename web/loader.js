// A file of its own because the page's policy forbids inline scripts.
try {
  // Before anything else, so that nobody who chose the dark sees the light first.
  const theme = localStorage.getItem("huddle.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // A reader may have forbidden the page to remember things.
}

const loading = document.getElementById("loading");
// It says what is wrong when this is not even read.
loading.lastElementChild.remove();

const tell = (text) => {
  loading.setAttribute("role", "alert");
  loading.lastElementChild.textContent = text;
};

// A fault of the program's own stops it without a word, here or in its worker: then nothing that is shown can be trusted.
const stopped = (event) => {
  tell("The viewer has stopped, which is a fault of its own: " + event.message +
    ". What it read is untouched. Reload the page to go on.");
  document.body.replaceChildren(loading);
};
addEventListener("error", (event) => {
  if (event.error instanceof WebAssembly.RuntimeError) stopped(event);
});
window.Worker = class extends Worker {
  constructor(...how) {
    super(...how);
    this.addEventListener("error", stopped);
  }
};

try {
  const program = await import("./huddle_web.js");
  await program.default();
  loading.remove();
} catch (error) {
  tell("The viewer could not start: " + error.message +
    ". It needs a browser with WebAssembly, and to be opened over http, not as a file.");
}
