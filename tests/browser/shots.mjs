// Takes the pictures of the page that the documentation shows: `cargo xtask shots`.

import { launch, newPage, open, shot } from "./harness.mjs";

/** What each picture shows: its name, how the page is opened, and what is done before it is taken. */
const SHOTS = [{ name: "start", query: "", act: async () => {} }];

const browser = await launch();
try {
  for (const { name, query, act } of SHOTS) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await newPage(browser, { colorScheme, reducedMotion: "reduce" });
      await open(page, query);
      await act(page);
      await shot(page, `${name}-${colorScheme}`);
      await page.context().close();
    }
  }
} finally {
  await browser.close();
}
