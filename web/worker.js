// Starts the viewer's program as a worker. A file of its own because the page's policy forbids workers made from text.
// The page hears of errors, not of promises that nobody kept. Of those, only faults of the program itself matter, and memory or
// stack that is used up (which browsers report as a RangeError): a file that changed while it was read, and that nobody wants
// any more, does not.
addEventListener("unhandledrejection", ({ reason }) => {
  if (reason instanceof WebAssembly.RuntimeError || reason instanceof RangeError) throw reason;
});
import("./huddle_web.js").then((program) => program.default());
