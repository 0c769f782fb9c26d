//! Starts the viewer in the page that loaded it.

fn main() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(huddle_web::app::App);
}
