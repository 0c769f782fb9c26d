// A file of its own because the page's policy forbids inline scripts.
try {
  // Before anything else, so that nobody who chose the dark sees the light first.
  const theme = localStorage.getItem("huddle.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // A reader may have forbidden the page to remember things.
}

const loading = document.getElementById("loading");
try {
  const program = await import("./huddle_web.js");
  await program.default();
  loading.remove();
} catch (error) {
  loading.setAttribute("role", "alert");
  loading.lastElementChild.textContent =
    "The viewer could not start: " + error.message +
    ". It needs a browser with WebAssembly, and to be opened over http, not as a file.";
}
