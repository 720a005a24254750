// A real browser on a real server. Where there is none, the tests fail.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const KINDS = { "index.html": "text/html", "app.js": "text/javascript", "app.css": "text/css", "icon.svg": "image/svg+xml" };

/** One browser and one server for a file of tests, with further options of the server. */
export async function open(options = []) {
  const server = await serve(0, options);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  return {
    server,
    browser,
    /** A reader with a page; what goes wrong in it fails the test that asks `sound`. */
    async reader(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", ...options });
      await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => undefined);
      // While the page is worked on, its newest build stands for the one that is part of the program.
      if (process.env.ASSETS) {
        for (const [name, contentType] of Object.entries(KINDS)) {
          const path = name === "index.html" ? /\/(\?.*)?$/ : new RegExp(`/${name}$`);
          await context.route(path, async (route) => {
            try {
              const response = await route.fetch();
              await route.fulfill({ response, contentType, body: readFileSync(here(`../../assets/${name}`)) });
            } catch {
              // The server or the page is gone.
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
        /** Goes to a state of the page, by its address. */
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

/** What the page says of the outcome. */
export const verdict = (page) => page.locator(".verdict h2");
export const board = (page) => page.locator("#board");
export const moves = (page) => page.locator("#board .touch g.move[role=button]");

/** The address as the page has it; the driver hears of changes a little later. */
export const address = (page) => page.evaluate(() => location.href);

/** A state as an address. */
export const state = (keys) => `#${Object.entries(keys).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}`;

/** Waits until something holds; patient, as the machine may be busy: it costs nothing where it holds soon. */
export async function until(what, condition, ms = 40_000) {
  const end = Date.now() + ms;
  for (;;) {
    if (await condition()) return;
    if (Date.now() > end) assert.fail(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}
