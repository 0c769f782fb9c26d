//! Starts the viewer in the page that loaded it, or its worker in the worker that did.

fn main() {
    if huddle_web::worker::is_here() {
        huddle_web::worker::start();
    } else {
        leptos::mount::mount_to_body(huddle_web::app::draw);
    }
}
