//! Starts the viewer in the page that loaded it, or its worker in the worker that did.

fn main() {
    console_error_panic_hook::set_once();
    if huddle_web::worker::is_here() {
        huddle_web::worker::start();
    } else {
        leptos::mount::mount_to_body(huddle_web::app::draw);
    }
}
