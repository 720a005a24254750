// A real browser with a real server. Without them the tests fail.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const KINDS = { "index.html": "text/html", "app.js": "text/javascript", "app.css": "text/css", "icon.svg": "image/svg+xml" };

/** Starts one browser and one server for a test file, with additional options of the server. */
export async function open(options = []) {
  const server = await serve(0, options);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  return {
    server,
    browser,
    /** Opens a page for a new reader. `sound` fails if the page logged errors. */
    async reader(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", ...options });
      await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => undefined);
      // During development, the latest build replaces the page in the program.
      if (process.env.ASSETS) {
        for (const [name, contentType] of Object.entries(KINDS)) {
          const path = name === "index.html" ? /\/(\?.*)?$/ : new RegExp(`/${name}$`);
          await context.route(path, async (route) => {
            try {
              const response = await route.fetch();
              await route.fulfill({ response, contentType, body: readFileSync(here(`../../assets/${name}`)) });
            } catch {
              // The server or the page has been closed.
              await route.abort().catch(() => undefined);
            }
          });
        }
      }
      const page = await context.newPage();
      const broken = [];
      page.on("pageerror", (error) => broken.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && /Content Security Policy|TypeError|ReferenceError/.test(message.text())) broken.push(message.text());
      });
      return {
        page,
        context,
        /** Opens a state of the page by its URL. */
        async go(hash = "") {
          await page.goto("about:blank");
          await page.goto(server.address + hash);
        },
        sound: () => assert.deepEqual(broken, []),
        close: () => context.close(),
      };
    },
    async close() {
      await browser.close();
      await server.stop();
    },
  };
}

/** The heading with the outcome. */
export const verdict = (page) => page.locator(".verdict h2");
export const board = (page) => page.locator("#board");
export const moves = (page) => page.locator("#board .touch g.move[role=button]");

/** Returns the current URL. The driver's own copy is updated with a delay. */
export const address = (page) => page.evaluate(() => location.href);

/** Returns the URL fragment of a state. */
export const state = (keys) => `#${Object.entries(keys).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}`;

/**
 * Waits until a condition holds. The long timeout is for busy machines and costs nothing otherwise.
 */
export async function until(what, condition, ms = 40_000) {
  const end = Date.now() + ms;
  for (;;) {
    if (await condition()) return;
    if (Date.now() > end) assert.fail(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}

/** Waits until a locator matches this number of elements: a board is redrawn after its answer. */
export async function matches(locator, number) {
  await until(`${number} of ${locator}`, async () => (await locator.count()) === number);
}
