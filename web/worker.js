// Starts the viewer's program as a worker. A file of its own because the page's policy forbids workers made from text.
import("./huddle_web.js").then((program) => program.default());
