// A file of its own because the page's policy forbids inline scripts.
import init from "./huddle_web.js";

const notice = document.getElementById("loading");
try {
  await init();
  notice.remove();
} catch (error) {
  notice.setAttribute("role", "alert");
  notice.textContent =
    "The viewer could not start: " + error.message +
    ". It needs a browser with WebAssembly, and to be opened over http, not as a file.";
}
