//! The viewer: shows what agents said to each other, in the reader's browser.
//!
//! The page draws; a worker, which is the same program started a second time, reads what is opened and answers the page's
//! questions ([`protocol`]). What the reader looks at is one value ([`huddle_web_model::route::Place`]), which is also the page's address.
//! What is drawn is plain data made by tested functions of `huddle-web-model`, which are tested without a browser.
//! The page never sends anything: the policy in `index.html` forbids it.

pub mod app;
pub mod client;
pub mod dom;
pub mod packet;
pub mod store;
pub mod view;
pub mod worker;

pub use huddle_web_model::{format, limits, protocol};
