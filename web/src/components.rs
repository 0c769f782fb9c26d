//! Widgets that several views share.

pub mod focus;
pub mod icon;
pub mod modal;
pub mod name;
pub mod panels;
pub mod toast;
