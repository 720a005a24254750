// Accessibility checks with axe.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The reason for skipping the checks of markup, layout and translations on the static page. */
export const SAME_MARKUP = process.env.PAGE ? "the page of the server has the same markup" : false;

/**
 * Fails if axe finds a violation in the page. `view` names the view in the error. In the dark theme
 * only the contrast is checked, since the rest is the same in both themes.
 */
export async function accessible(page, view) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return window.axe.run(document, { resultTypes: ["violations"], ...(dark ? { runOnly: ["color-contrast"] } : {}) });
  });
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${view}: ${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`),
    [],
  );
}
