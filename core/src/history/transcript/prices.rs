//! Prices of models, for estimates.

use crate::history::formats::Usage;

/// The price of a model, in US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Of tokens that are read anew.
    pub input: f64,
    /// Of tokens that are written.
    pub output: f64,
    /// Of tokens that are read from a cache.
    pub cache_read: f64,
    /// Of tokens that are put into a cache.
    pub cache_write: f64,
}

/// Prices as of a day.
#[derive(Debug, Clone, PartialEq)]
pub struct Prices {
    /// The day.
    pub as_of: String,
    /// Parts of the names of models with their prices, the first that fits counts.
    pub models: Vec<(String, Price)>,
}

/// The day of the prices that are known here.
const AS_OF: &str = "2026-02-01";

/// List prices by parts of the names of models: of input and output.
const KNOWN: [(&str, f64, f64); 14] = [
    ("opus-4-5", 5.0, 25.0),
    ("opus-4-6", 5.0, 25.0),
    ("opus-4", 15.0, 75.0),
    ("3-opus", 15.0, 75.0),
    ("sonnet", 3.0, 15.0),
    ("haiku-4", 1.0, 5.0),
    ("3-5-haiku", 0.8, 4.0),
    ("3-haiku", 0.25, 1.25),
    ("gpt-5-mini", 0.25, 2.0),
    ("gpt-5-nano", 0.05, 0.4),
    ("gpt-5.2", 1.75, 14.0),
    ("gpt-5", 1.25, 10.0),
    ("gemini-2.5-pro", 1.25, 10.0),
    ("gemini-2.5-flash", 0.3, 2.5),
];

impl Default for Prices {
    fn default() -> Self {
        let models = KNOWN.into_iter().map(|(model, input, output)| {
            // All of these sell what a cache holds for a tenth; only Claude's ask more for putting it there.
            let is_claude = ["opus", "sonnet", "haiku"].into_iter().any(|family| model.contains(family));
            let cache_write = if is_claude { input * 1.25 } else { input };
            (model.to_owned(), Price { input, output, cache_read: input * 0.1, cache_write })
        });
        Self { as_of: AS_OF.to_owned(), models: models.collect() }
    }
}

impl Prices {
    /// Finds the price of a model.
    pub fn of(&self, model: &str) -> Option<&Price> {
        self.models.iter().find(|(part, _)| model.contains(part.as_str())).map(|(_, price)| price)
    }

    /// Estimates what tokens of a model cost, in US dollars; none when its price is not known.
    pub fn cost(&self, model: &str, usage: &Usage) -> Option<f64> {
        let price = self.of(model)?;
        let millions = |tokens: u64| tokens as f64 / 1e6;
        Some(
            millions(usage.input) * price.input
                + millions(usage.output) * price.output
                + millions(usage.cache_read) * price.cache_read
                + millions(usage.cache_write) * price.cache_write,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_name_that_fits_has_the_price() {
        let prices = Prices::default();
        let usage = Usage { input: 1_000_000, output: 1_000_000, cache_read: 0, cache_write: 0 };
        let check = |model: &str, wanted: Option<f64>| assert_eq!(prices.cost(model, &usage), wanted, "{model}");
        check("claude-opus-4-5-20251101", Some(30.0));
        check("claude-opus-4-20250514", Some(90.0));
        check("claude-sonnet-4-20250514", Some(18.0));
        check("gpt-5-mini", Some(2.25));
        check("gpt-oss:20b", None);
    }
}
