//! Making a bus.

use super::{Bus, Result};

impl Bus<'_> {
    /// Creates the bus; returns whether there was none before.
    pub fn init(&self) -> Result<bool> {
        Ok(self.engine.init()?)
    }
}
