// Tests of tables, periods, graphs, trees and matrices, and of these views on phones, in the dark
// theme and in Chinese.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { accessible } from "./accessibility.mjs";
import { address, matches, open, state, until, verdict } from "./browser.mjs";
import { choose, expression, paper } from "./workshop.mjs";
import { program } from "./server.mjs";


let session;
before(async () => (session = await open()));
after(() => session?.close());

const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

test("a table and its pattern are shown and copied", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "subtraction([1, 3, 4], 9)", view: "table" }));
  await page.locator(".outcomes li").nth(40).waitFor();
  for (const told of ["g(n + 7) = g(n) for n >= 0", "the P-positions from 0 onwards are n = 0, 2 (mod 7)"]) {
    await page.locator(".findings li").filter({ hasText: told }).locator(".status").getByText("proved").waitFor();
  }
  await page.getByRole("button", { name: "CSV", exact: true }).click();
  await until("the table is copied", async () => (await clipboard(page)).startsWith("n,grundy,outcome\n0,0,P\n1,1,N\n"));
  await page.getByRole("button", { name: "b-file" }).click();
  await until("the b-file is copied", async () => /^0 0\n1 1\n2 0\n[\s\S]*\n40 \d+\n$/.test(await clipboard(page)));
  await page.getByRole("button", { name: "Command" }).click();
  await until("the command is copied", async () => (await clipboard(page)) === 'grundy table "subtraction([1, 3, 4], n)" n=0..40');
  const printed = execFileSync(program, ["table", "subtraction([1, 3, 4], n)", "n=0..40", "--csv"], { encoding: "utf8" });
  await page.getByRole("button", { name: "CSV", exact: true }).click();
  await until("it is what the command prints", async () => (await clipboard(page)) === printed);
  assert.match(await page.getByRole("link", { name: /OEIS/ }).getAttribute("href"), /^https:\/\/oeis\.org\/search\?q=0%2C1%2C0%2C1%2C2%2C3%2C2/);
  await page.getByRole("button", { name: "n to: more" }).click();
  await page.locator(".outcomes li").nth(41).waitFor();
  assert.match(await address(page), /table\.ranges=n%3D0\.\.41/);
  // The same data as a table, and the picture of the engine.
  await page.getByText("Data table").click();
  // The rows are rendered when the table is opened.
  await page.locator(".data tbody tr").last().waitFor();
  await matches(page.locator(".data tbody tr"), 42);
  await page.getByText("Picture to copy").click();
  await page.locator(".data svg").waitFor();
  // A cell opens its position.
  await page.getByRole("button", { name: /^n = 7: P/ }).click();
  await verdict(page).getByText("The previous player wins").waitFor();
  assert.equal(await expression(page), "subtraction([1, 3, 4], 7)");
  sound();
  await close();
});

test("two variables give a map, on a canvas if it is large", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "wythoff(3, 5)", view: "table" }));
  const map = page.getByRole("application");
  await map.locator("rect").nth(200).waitFor();
  await map.focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  await page.locator(".heat-told").getByText("a = 1, b = 1: N, Grundy value 2").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator(".heat-told").getByText("a = 1, b = 2: P, Grundy value 0").waitFor();
  await page.keyboard.press("Enter");
  await verdict(page).getByText("The previous player wins").waitFor();
  assert.equal(await expression(page), "wythoff(1, 2)");
  await go(state({ game: "wythoff(3, 5)", view: "table", "table.family": "wythoff(a, b)", "table.ranges": "a=0..110,b=0..110" }));
  await page.locator(".heat canvas").waitFor({ timeout: 20000 });
  // The colour of 0 is white.
  const pixel = (a, b) => page.locator(".heat canvas").evaluate((canvas, [a, b]) => [...canvas.getContext("2d").getImageData((b + 0.5) * (canvas.width / 111), (a + 0.5) * (canvas.height / 111), 1, 1).data], [a, b]);
  await until("it is drawn", async () => (await pixel(1, 2)).join() === "255,255,255,255");
  assert.notEqual((await pixel(1, 3)).join(), "255,255,255,255");
  sound();
  await close();
});

test("a period search shows progress, and its certificate verifies", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "kayles(9)", view: "period", "period.family": "take_and_break('0.106', n)", "period.max": "900000000" }));
  await page.getByRole("button", { name: "Find period" }).click();
  await until("it goes on", async () => Number(await page.locator("progress").getAttribute("value")) > 0, 20000);
  // The page stays usable while the computation continues.
  await page.getByRole("tab", { name: "Analyse" }).click();
  await verdict(page).waitFor();
  await page.getByRole("tab", { name: "Period" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator(".period-view").getByText("Cancelled.").waitFor();
  await page.getByLabel("Family").fill("kayles(n)");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Find period" }).click();
  await page.getByRole("heading", { name: "From n = 71 onwards the values have period 12." }).waitFor();
  await page.locator(".shown svg").waitFor();
  // The name of the theorem is in the language of the page.
  await page.locator(".found").getByText("Guy-Smith periodicity theorem").waitFor();
  const other = await session.reader({ locale: "zh-CN" });
  await other.go(state({ game: "kayles(9)", view: "period", lang: "zh" }));
  await other.page.getByRole("button", { name: "寻找周期" }).click();
  await other.page.locator(".found").getByText("Guy-Smith 周期定理").waitFor();
  await other.close();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save certificate" }).click();
  const file = await (await download).path();
  const printed = execFileSync(program, ["verify", file, "--json"], { encoding: "utf8" });
  assert.equal(JSON.parse(printed).valid, true);
  await page.getByRole("button", { name: "Check here" }).click();
  await page.locator(".checked").getByText("The certificate is valid.").waitFor();
  sound();
  await close();
});

test("a matrix is typed, pasted and solved exactly", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "nim(1)", view: "matrix", matrix: "1,2;3,1/2" }));
  await page.getByRole("heading", { name: "The value of the game is 11/7." }).waitFor();
  await page.locator(".shown svg").waitFor();
  assert.deepEqual(await page.locator(".strategy-weight").allInnerTexts(), ["5/7", "2/7", "3/7", "4/7"]);
  await page.getByLabel("Row 0, column 0").fill("4");
  await page.getByRole("heading", { name: /The value of the game is/ }).waitFor();
  await page.getByLabel("Row 0, column 0").fill("");
  await page.getByText("Fill in every cell with a number.").waitFor();
  // Cells copied from a spreadsheet.
  await page.getByLabel("Row 0, column 0").focus();
  await page.evaluate(() => navigator.clipboard.writeText("4\t1\t-3\n3\t2\t5\n0\t1\t6\n"));
  await page.keyboard.press("Control+V");
  await page.getByRole("heading", { name: "The value of the game is 2." }).waitFor();
  await page.getByLabel("Row 1, column 1, saddle point").waitFor();
  await page.getByRole("button", { name: "+ Row" }).click();
  await choose(page, "dominance", "weak");
  await page.locator(".dominance li").first().waitFor();
  await page.getByRole("button", { name: "Remove row 3" }).click();
  await page.getByLabel("Row 0, column 0").press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-cell")), "1 0");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save certificate" }).click();
  const file = await (await download).path();
  assert.match(await readFile(file, "utf8"), /"kind":"matrix"/);
  execFileSync(program, ["verify", file]);
  sound();
  await close();
});

test("a game graph is opened node by node, by mouse and keyboard", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "nim(1, 2)", view: "graph" }));
  const nodes = page.locator(".graph-node");
  await nodes.nth(3).waitFor();
  await matches(nodes, 4);
  const first = page.getByRole("button", { name: /^P .*nim\(1, 1\)/ });
  assert.equal(await first.getAttribute("aria-expanded"), "false");
  await first.click();
  await until("it is open", async () => (await first.getAttribute("aria-expanded")) === "true");
  const more = await nodes.count();
  assert.ok(more > 4);
  await page.locator(".graph-side").getByText("The previous player wins").waitFor();
  await page.keyboard.press("Enter");
  await until("it is closed", async () => (await nodes.count()) === 4);
  await page.keyboard.press("Enter");
  await until("it is open again", async () => (await nodes.count()) === more);
  await page.keyboard.press("ArrowDown");
  const focus = () => page.evaluate(() => document.activeElement?.getAttribute("data-key"));
  assert.match((await focus()) ?? "", /^nim\((0, 1|1, 0)\)$/);
  // A position reached in two ways occurs once.
  const keys = await nodes.evaluateAll((all) => all.map((node) => node.getAttribute("data-key")));
  assert.equal(new Set(keys).size, keys.length);
  await choose(page, "graph-whole", "yes");
  await page.locator(".graph-view .picture svg").waitFor();
  sound();
  await close();
});

test("a tree is drawn and alpha-beta replayed", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "tic_toe()", view: "tree" }));
  await page.getByRole("heading", { name: "X wins." }).waitFor();
  await page.locator(".tree-picture svg").waitFor();
  await page.locator(".facts").getByText("16,384").waitFor();
  const counter = page.locator(".replay .counter");
  assert.equal(await counter.innerText(), "1 of 5");
  await page.locator(".replay svg").waitFor();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await until("the second cut", async () => (await counter.innerText()) === "2 of 5");
  assert.match(await address(page), /step=1/);
  await page.getByText("Strategies that guarantee the value").click();
  await page.locator(".strategy-tables td").getByText("the start").waitFor();
  sound();
  await close();
});

const VIEWS = {
  drawing: state({ game: 'hackenbush("0-1 1-2:b 1-3:r")', view: "edit" }),
  colours: state({ game: 'col("0-1 1-2", ".L.")', view: "edit" }),
  letters: state({ game: 'domineering(["...", "..#"]) + nim(3)', view: "edit" }),
  strip: state({ game: "nimble(3, 4, 4)", view: "edit" }),
  form: state({ game: "northcott(8, [[0, 3], [2, 7]])", view: "edit" }),
  rules: state({ game: "game(moves, 5)", rules: "def moves(n):\n    return [n - 1] if n > 0 else []\n", view: "rules" }),
  wrong: state({ game: "game(moves, 5)", rules: "def moves(n):\n    return [m]\n", view: "rules" }),
  table: state({ game: "kayles(5)", view: "table" }),
  map: state({ game: "wythoff(3, 5)", view: "table" }),
  period: state({ game: "kayles(5)", view: "period" }),
  graph: state({ game: "nim(1, 2)", view: "graph" }),
  tree: state({ game: "tic_toe()", view: "tree" }),
  matrix: state({ game: "nim(1)", view: "matrix", matrix: "4,1,-3;3,2,5;0,1,6", "matrix.dominance": "weak" }),
};

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in the workshop, ${colorScheme}`, async () => {
    const { page, go, sound, close } = await session.reader({ colorScheme });
    for (const [name, hash] of Object.entries(VIEWS)) {
      await go(hash);
      await page.waitForLoadState("networkidle");
      if (name === "period") {
        await page.getByRole("button", { name: "Find period" }).click();
        await page.getByText("Save certificate").waitFor();
      }
      await page.locator(".panel details:not([open]) > summary").evaluateAll((all) => all.forEach((summary) => summary.click()));
      await page.waitForLoadState("networkidle");
      await accessible(page, name);
    }
    sound();
    await close();
  });
}

test("on a phone the workshop fits, and touch targets are large enough", async () => {
  const { page, go, sound, close } = await session.reader({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const [name, hash] of Object.entries(VIEWS)) {
    await go(hash);
    await page.waitForLoadState("networkidle");
    if (name === "period") {
      await page.getByRole("button", { name: "Find period" }).click();
      await page.getByText("Save certificate").waitFor();
    }
    // An element that is too wide widens the page on a phone, so the check uses the width of the
    // phone.
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), `${name} is too wide`);
    const small = await page.locator("#panel button:visible, #panel select:visible, #panel input:visible").evaluateAll((all) =>
      all.filter((one) => !one.matches(".link, [type=radio], [type=checkbox]") && one.getBoundingClientRect().height < 40).map((one) => one.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(small, [], name);
  }
  await go(state({ game: 'hackenbush("")', view: "edit" }));
  const { sheet, place } = await paper(page);
  const middle = Math.round((await sheet.getAttribute("viewBox")).split(" ")[2] / 96) - 1;
  await page.touchscreen.tap(...(await place(middle, 8)));
  await page.touchscreen.tap(...(await place(middle, 6)));
  await until("an edge is drawn", async () => (await expression(page)) === 'hackenbush("0-1")');
  sound();
  await close();
});

test("the workshop is Chinese on the Chinese page", async () => {
  const { page, go, sound, close } = await session.reader({ locale: "zh-CN" });
  for (const [name, hash] of Object.entries(VIEWS)) {
    await go(`${hash}&lang=zh`);
    await page.waitForLoadState("networkidle");
    // Notation is not translated; patterns, names of theorems and moves of a tree come from the
    // engine.
    const english = await page.evaluate(() => {
      const left = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (!parent || parent.closest("code, kbd, pre, option, textarea, .sheet, h1, [lang=en], noscript, svg, .method, .findings, .way, .replay, .rules-bar")) continue;
        if (/[a-z]{2,} [a-z]{2,}/i.test(node.data.replace(/grundy \w+( \w+)?|Ctrl Z/g, ""))) left.push(node.data);
      }
      return left;
    });
    assert.deepEqual(english, [], name);
  }
  sound();
  await close();
});
