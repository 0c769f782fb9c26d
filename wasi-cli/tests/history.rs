//! History through the command: on every fixture, beside the bus, there and back again, and on damaged logs.
//!
//! The fixtures are files of the repository, which a component does not see: these tests are native.

mod bus;
mod damage;
mod exit_codes;
mod golden;
mod round_trips;
mod search;
mod support;
