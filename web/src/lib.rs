//! The viewer: shows what agents said to each other, in the reader's browser.
//!
//! Components only draw. What they draw is plain data made by tested functions, so that most of
//! the page is tested natively, without a browser. The page never sends anything: the policy in
//! `index.html` forbids it.

pub mod app;
pub mod content;
