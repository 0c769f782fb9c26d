// Starts the viewer's program as a worker. A file of its own because the page's policy forbids workers made from text.
// The page hears of errors, not of promises that nobody kept.
addEventListener("unhandledrejection", (event) => {
  throw event.reason;
});
import("./huddle_web.js").then((program) => program.default());
