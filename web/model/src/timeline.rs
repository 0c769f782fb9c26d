//! What the timeline computes before it is drawn: the scale, the marks, and what is at the pointer.

pub mod fingers;
pub mod hit;
pub mod marks;
pub mod minimap;
pub mod scale;
pub mod summary;
pub mod table;
pub mod tip;
