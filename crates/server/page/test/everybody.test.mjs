// Tests of keyboard use, phones, Chinese, two tabs, a server that stops, and accessibility checks
// of every view with axe.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "./accessibility.mjs";
import { board, matches, moves, open, state, until, verdict } from "./browser.mjs";
import { NO_SERVER, serve } from "./server.mjs";


let session;
before(async () => (session = await open()));
after(() => session?.close());

test("the page is usable by keyboard alone", async () => {
  const { page, go, sound, close } = await session.reader({ reducedMotion: "reduce" });
  await go("#nim(3,4,5)");
  await verdict(page).waitFor();
  // The board is one tab stop.
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.className), "skip");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const focus = () => page.evaluate(() => document.activeElement?.getAttribute("data-at"));
  const first = await focus();
  assert.ok(first, "the board has the focus");
  await matches(page.locator('#board g.move[tabindex="0"]'), 1);
  await page.keyboard.press("ArrowRight");
  assert.match((await focus()) ?? "", /^1,/);
  await page.keyboard.press("ArrowLeft");
  for (let up = 0; up < 4; up += 1) await page.keyboard.press("ArrowUp");
  assert.equal(await focus(), "0,2");
  assert.match((await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))) ?? "", /take 1 from heap 1: leaves N, loses/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await until("the move is made", async () => (await page.locator("#expression").inputValue()) === "nim(1, 4, 5)");
  await until("the move is announced", async () => /take 2 from heap 1/.test(await page.locator("[role=status]").first().innerText()));
  assert.ok(await focus(), "the focus stays on the board");
  await page.keyboard.press("u");
  await until("undone", async () => (await page.locator("#expression").inputValue()) === "nim(3,4,5)");
  await page.keyboard.press("b");
  await page.locator("#board g.move.pointed").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("show a best move").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("w");
  await page.locator(".stages li").first().waitFor();
  // In a text field the shortcuts are inactive.
  await page.keyboard.press("/");
  await page.keyboard.press("End");
  await page.keyboard.type("uh?");
  assert.equal(await page.locator("#expression").inputValue(), "nim(3,4,5)uh?");
  assert.equal(await page.getByRole("dialog").count(), 0);
  sound();
  await close();
});

test("arrow keys change tabs", async () => {
  const { page, go, close } = await session.reader();
  await go();
  await page.getByRole("tab", { name: "Analyse" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.locator(".stages li").first().waitFor();
  assert.equal(await page.getByRole("tab", { name: "Explain" }).getAttribute("aria-selected"), "true");
  await page.keyboard.press("End");
  assert.equal(await page.getByRole("tab").last().getAttribute("aria-selected"), "true");
  await close();
});

const VIEWS = {
  analyse: state({ game: "nim(3, 4, 5) + kayles(5)", moves: "0: 0 1" }),
  partizan: state({ game: 'domineering(["...", "..#"])' }),
  hackenbush: state({ game: 'hackenbush("0-1 1-2 1-3")' }),
  error: "#nimm(3)",
  explain: state({ game: "nim(3, 4, 5)", view: "explain" }),
  play: state({ game: "nim(1, 2)", moves: "0 0;1 0", view: "play" }),
  practice: state({ game: "nim(3, 4, 5)", view: "practice" }),
  lecture: state({ game: "nim(3, 4, 5)", view: "lecture" }),
  games: state({ game: "nim(3, 4, 5)", view: "games" }),
  show: state({ game: "nim(3, 4, 5)", view: "show", step: "2" }),
};

test("on a phone nothing overflows, and the board comes first", async () => {
  const { page, go, sound, close } = await session.reader({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const [name, hash] of Object.entries(VIEWS)) {
    await go(hash);
    await page.waitForLoadState("networkidle");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= screen.width), `${name} is too wide`);
  }
  await go("#nim(3,4,5)");
  await verdict(page).waitFor();
  const [up, down] = await Promise.all([board(page).boundingBox(), page.locator("#panel").boundingBox()]);
  assert.ok(up && down && up.y < down.y);
  const small = await page.locator("button:visible, [role=tab]:visible").evaluateAll((buttons) =>
    buttons.filter((button) => !button.matches(".link") && button.getBoundingClientRect().height < 40).map((button) => button.outerHTML),
  );
  assert.deepEqual(small, []);
  await page.locator('#board g.move[data-at="0,1"]').tap();
  await verdict(page).getByText("The previous player wins").waitFor();
  sound();
  await close();
});

test("the Chinese page has no English sentence, and the switch is live", async () => {
  const { page, go, sound, close } = await session.reader({ locale: "zh-CN" });
  // Notation, names of persons and works, and original names in parentheses stay untranslated.
  // Names of methods come from the engine.
  const english = () =>
    page.evaluate(() => {
      const left = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (!parent || parent.closest("code, kbd, pre, option, .sheet, .stages, .reasons, .show-text, .theorem, h1, noscript, [lang=en], svg, .method")) continue;
        if (/[a-z]{2,} [a-z]{2,}/i.test(node.data.replace(/（[^）]*）/g, ""))) left.push(node.data);
      }
      for (const element of document.querySelectorAll("[aria-label], [title]")) {
        for (const name of ["aria-label", "title"]) {
          const text = element.getAttribute(name) ?? "";
          if (/[a-z]{2,} [a-z]{2,}/i.test(text)) left.push(`${name}: ${text}`);
        }
      }
      return left;
    });
  for (const [name, hash] of Object.entries(VIEWS)) {
    await go(name === "error" ? hash : `${hash}&lang=zh`);
    await page.waitForLoadState("networkidle");
    assert.deepEqual(await english(), [], name);
  }
  await go("#nim(3,4,5)");
  await page.getByText("先手必胜").first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-CN");
  await page.locator("label").filter({ hasText: "English" }).click();
  await verdict(page).getByText("The next player wins").waitFor();
  await page.locator(".telling").getByText("The game is played with heaps of chips").waitFor();
  await page.locator("label").filter({ hasText: "中文" }).click();
  await page.getByText("先手必胜").first().waitFor();
  sound();
  await close();
});

test("the page reconnects to a restarted server", { skip: NO_SERVER }, async () => {
  const own = await serve();
  const { page, close } = await session.reader();
  await page.goto(`${own.address}#nim(3,4,5)`);
  await verdict(page).waitFor();
  await own.stop();
  await page.locator('#board g.move[data-at="0,0"]').click();
  await page.getByRole("alert").getByText("The server is not responding").waitFor();
  const again = await serve(own.port);
  await until("the move is on the board", async () => (await page.locator("#expression").inputValue()) === "nim(0, 4, 5)");
  await verdict(page).waitFor();
  await until("all is well again", async () => (await page.getByText("The server is not responding").count()) === 0);
  await close();
  await again.stop();
});

test("two tabs are independent", async () => {
  const { page, context, go, sound, close } = await session.reader();
  await go("#nim(3,4,5)");
  const other = await context.newPage();
  await other.goto(`${session.server.address}#kayles(9)`);
  await verdict(other).waitFor();
  await page.locator('#board g.move[data-at="0,1"]').click();
  await verdict(page).getByText("The previous player wins").waitFor();
  assert.equal(await other.title(), "kayles(9) – grundy");
  // The title is updated after the tab is painted.
  await until("the title is that of the position", async () => (await page.title()) === "nim(1, 4, 5) – grundy");
  sound();
  await close();
});

test("the board stays usable during long computations", async () => {
  const { page, go, close } = await session.reader();
  // A two-coloured grid, which reaches its time limit long before its memory limit.
  const size = 8;
  const vertex = (row, column) => 1 + row * size + column;
  const edges = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (row === 0) edges.push(`0-${vertex(0, column)}:${"rb"[column % 2]}`);
      if (column + 1 < size) edges.push(`${vertex(row, column)}-${vertex(row, column + 1)}:${"rb"[(row + column) % 2]}`);
      if (row + 1 < size) edges.push(`${vertex(row, column)}-${vertex(row + 1, column)}:${"br"[(row * 3 + column) % 2]}`);
    }
  }
  await go(state({ game: `hackenbush("${edges.join(" ")}")` }));
  await moves(page).first().waitFor();
  await page.getByText("Computing").first().waitFor();
  await moves(page).first().click();
  await board(page).getByText("Right is to move").waitFor({ timeout: 3000 });
  await page.locator("#expression").fill("nim(1)");
  await page.keyboard.press("Enter");
  await verdict(page).getByText("The next player wins").waitFor({ timeout: 3000 });
  await close();
});

test("the gallery opens every group, and a card opens its game", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "nim(1)", view: "games" }));
  await page.locator(".thumbnail svg").first().waitFor();
  await page.locator(".gallery section").nth(6).waitFor();
  await page.getByLabel("Search games").fill("chocolate");
  await page.locator(".card").first().click();
  await until("chomp is open", async () => (await page.title()).startsWith("chomp"));
  await page.locator(".sheet h2").getByText("chomp").waitFor();
  await page.goBack();
  await page.locator(".gallery").waitFor();
  sound();
  await close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing, ${colorScheme}`, async () => {
    const { page, go, close } = await session.reader({ colorScheme });
    for (const [name, hash] of Object.entries(VIEWS)) {
      await go(hash);
      await page.waitForLoadState("networkidle");
      await accessible(page, name);
    }
    await go("#nim(3,4,5)");
    await verdict(page).waitFor();
    await page.keyboard.press("h");
    await page.locator(".hint").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await accessible(page, "help");
    await close();
  });
}

test("touch targets of thin lines are invisible in both themes", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, go, close } = await session.reader({ colorScheme });
    await go('#hackenbush("0-1 1-2:b 1-3:r")');
    await moves(page).nth(1).waitFor();
    const strokes = await page.locator("#board .reach").evaluateAll((all) => all.map((line) => getComputedStyle(line).stroke));
    assert.deepEqual(strokes, ["rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"], colorScheme);
    await close();
  }
});

test("in the dark theme pictures are dark and their text is readable", async () => {
  const { page, go, sound, close } = await session.reader({ colorScheme: "dark" });
  for (const [keys, seen] of [
    [{ game: "nim(13, 12, 8)", view: "explain" }, ".stages svg .odd-column"],
    [{ game: "kayles(7) + chomp(3)", view: "explain" }, ".stages svg rect"],
    [{ game: 'cram(["...", "..."])', view: "explain" }, ".stages svg rect"],
    [{ game: "tic_toe()", view: "tree" }, ".picture svg .value"],
    [{ game: "northcott(8, [[1, 5], [2, 7]])", view: "explain" }, ".stages svg .piece"],
  ]) {
    await go(state(keys));
    await page.locator(seen).first().waitFor();
    const faults = await page.locator(".picture svg").evaluateAll((all) => {
      const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      const luminance = (colour) => {
        const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
      };
      const faults = [];
      for (const svg of all) {
        for (const text of svg.querySelectorAll("text")) if (!text.closest(".marks") && luminance(getComputedStyle(text).fill) < 0.3) faults.push(`dark text ${text.textContent}`);
        for (const shape of svg.querySelectorAll("rect, polygon, circle, ellipse")) {
          const { fill } = getComputedStyle(shape);
          // Dots and arrow heads are drawn in ink.
          if (fill !== "none" && !shape.closest(".marks, .target") && shape.getBBox().width > 12 && luminance(fill) > 0.25) faults.push(`${shape.getAttribute("class")} ${fill}`);
        }
      }
      return faults;
    });
    assert.deepEqual(faults, [], keys.game);
  }
  sound();
  await close();
});
