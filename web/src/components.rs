//! Widgets that several views share.

#![expect(clippy::needless_pass_by_value, reason = "components own their properties")]

pub mod body;
pub mod focus;
pub mod icon;
pub mod message;
pub mod modal;
pub mod name;
pub mod panels;
pub mod text;
pub mod toast;
