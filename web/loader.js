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

// A fault of the program's own stops it without a word: then nothing that is shown can be trusted. What is open is not opened
// again when the page is reloaded, because it may have been the cause.
addEventListener("error", (event) => {
  if (!(event.error instanceof WebAssembly.RuntimeError)) return;
  try {
    sessionStorage.setItem("huddle.stopped", new URLSearchParams(location.search).get("src") ?? "");
  } catch {
    // Likewise.
  }
  tell("The viewer has stopped, which is a fault of its own: " + event.message +
    ". What it read is untouched. Reload the page to go on.");
  document.body.replaceChildren(loading);
});

// A worker that fails is ended at once, which frees its memory; the program hears of it and starts another.
window.Worker = class extends Worker {
  constructor(...how) {
    super(...how);
    const stopped = ({ message }) => {
      this.terminate();
      dispatchEvent(new CustomEvent("workerstopped", { detail: message ?? "the worker could not be loaded" }));
    };
    this.addEventListener("error", stopped, { once: true });
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
