// The log that the page's speed is measured with.

/** How many events it has. */
export const EVENTS = 1_000_000;

/** A word that stands in some of them. */
export const WORD = "migration";
