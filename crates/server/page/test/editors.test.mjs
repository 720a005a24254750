// Tests of the editors: Hackenbush pictures, boards, heaps, graphs, and rules.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { address, board, matches, open, state, until, verdict } from "./browser.mjs";
import { choose, expression, paper } from "./workshop.mjs";

let session;
before(async () => (session = await open()));
after(() => session?.close());

const wait = (page, text) => until(`the expression is ${text}`, async () => (await expression(page)) === text);

test("Hackenbush is drawn with the mouse, explained and shared", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: 'hackenbush("")', view: "edit" }));
  const { drag, click, place } = await paper(page);
  await drag([4, 8], [4, 6]);
  await wait(page, 'hackenbush("0-1")');
  await drag([4, 6], [2, 4]);
  await choose(page, "pen", "b");
  await drag([4, 6], [6, 4]);
  await wait(page, 'hackenbush("0-1 1-2 1-3:b")');
  // A click on an edge cycles its colour; undone steps can be redone.
  await click([3, 5]);
  await wait(page, 'hackenbush("0-1 1-2:b 1-3:b")');
  await page.locator(".drawing").getByRole("button", { name: "Undo" }).click();
  await wait(page, 'hackenbush("0-1 1-2 1-3:b")');
  // Two taps draw a line like a drag, also to an existing dot.
  await choose(page, "pen", "g");
  await click([2, 4]);
  await click([6, 4]);
  await wait(page, 'hackenbush("0-1 1-2 1-3:b 2-3")');
  await choose(page, "tool", "erase");
  await click([4, 4]);
  await wait(page, 'hackenbush("0-1 1-2 1-3:b")');
  // Moving a dot does not change the expression.
  await choose(page, "tool", "move");
  await drag([6, 4], [7, 3]);
  assert.equal(await expression(page), 'hackenbush("0-1 1-2 1-3:b")');
  const [x, y] = await place(7, 3);
  assert.ok(await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest(".dot") !== null, [x, y]), "the dot has moved");
  // Hovering an edge on the board highlights the edges that would fall.
  const trunk = page.locator('#board g.move[data-at="0"]');
  await trunk.focus();
  await until("what falls is shown", async () => (await page.locator("#board g.move.falls").count()) === 3);
  assert.match(await page.locator(".caption").innerText(), /Also falls: 1-2, 1-3/);
  await page.getByRole("button", { name: "Done" }).click();
  await verdict(page).waitFor();
  await page.keyboard.press("l");
  await page.locator(".show").waitFor();
  const counter = page.locator(".show-foot .counter");
  await until("the steps are there", async () => /of [1-9]/.test(await counter.innerText()));
  await page.keyboard.press("ArrowRight");
  await page.locator(".show-text .stage-number").waitFor();
  const link = await address(page);
  const student = await session.reader();
  await student.page.goto(link);
  await student.page.locator(".show-text .stage-number").waitFor();
  assert.equal(await student.page.locator(".show-text").innerText(), await page.locator(".show-text").innerText());
  sound();
  student.sound();
  await student.close();
  await close();
});

test("Hackenbush is drawn by keys alone", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: 'hackenbush("")', view: "edit" }));
  const { sheet } = await paper(page);
  await sheet.focus();
  const keys = async (...all) => {
    for (const key of all) await page.keyboard.press(key);
  };
  await keys("Enter", "ArrowUp", "ArrowUp", "Enter");
  await wait(page, 'hackenbush("0-1")');
  await keys("c", "Enter", "ArrowRight", "ArrowUp", "Enter");
  await until("a second edge", async () => /^hackenbush\("0-1 1-2:b"\)$/.test(await expression(page)));
  await keys("o");
  await wait(page, 'hackenbush("0-1 1-2:b 2-2:b")');
  await keys("e", "c");
  await wait(page, 'hackenbush("0-1:b 1-2:b 2-2:b")');
  await keys("Delete");
  await until("the vertex is gone", async () => !(await expression(page)).includes("2-2"));
  await keys("Control+z", "Control+z");
  await wait(page, 'hackenbush("0-1 1-2:b 2-2:b")');
  await keys("m", "ArrowRight", "Enter");
  assert.equal(await expression(page), 'hackenbush("0-1 1-2:b 2-2:b")');
  // Tab leaves the drawing.
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.closest(".sheet-of-paper")), null);
  sound();
  await close();
});

test("a typed picture is drawn as on the board", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: 'hackenbush("0-1 1-2:b 1-3:r 3-3")', view: "edit" }));
  await page.locator(".sheet-of-paper .drawn").nth(3).waitFor();
  await matches(page.locator(".sheet-of-paper .dot"), 4);
  await page.locator("#expression").fill('hackenbush("0-1 0-1")');
  await page.keyboard.press("Enter");
  await until("two edges are drawn", async () => (await page.locator(".sheet-of-paper .drawn").count()) === 2);
  sound();
  await close();
});

/** Returns the columns and rows of the dots. */
const dotsOf = (page) =>
  page.locator(".sheet-of-paper .dot circle:last-of-type").evaluateAll((all) => all.map((dot) => `${Number(dot.getAttribute("cx")) / 48},${Number(dot.getAttribute("cy")) / 48}`).sort());

test("links keep the layout of a drawing, for each term of a sum", async () => {
  const { page, go, sound, close } = await session.reader({ viewport: { width: 1280, height: 1000 } });
  await go(state({ game: 'hackenbush("") + nim(2)', view: "edit" }));
  const { drag } = await paper(page);
  // Two edges share a foot, a third has its own.
  await drag([3, 8], [1, 5]);
  await drag([3, 8], [6, 6]);
  await drag([9, 8], [6, 6]);
  await wait(page, 'hackenbush("0-1 0-2 0-2") + nim(2)');
  const drawn = ["1,5", "3,8", "6,6", "9,8"];
  assert.deepEqual(await dotsOf(page), drawn);
  await choose(page, "tool", "move");
  await drag([6, 6], [7, 2]);
  drawn.splice(2, 1, "7,2");
  assert.deepEqual(await dotsOf(page), drawn);
  // A second drawing in the sum keeps the places of the first.
  await page.locator("#expression").fill('hackenbush("0-1 0-2 0-2") + col("0-1", "..")');
  await page.keyboard.press("Enter");
  await choose(page, "term", "1");
  await page.locator(".sheet-of-paper .dot.large").nth(1).waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  const second = await paper(page);
  await second.click([2, 1]);
  await second.drag([2, 1], [5, 3]);
  await wait(page, 'hackenbush("0-1 0-2 0-2") + col("0-1", "..")');
  await until("the address follows", async () => /edit\.places=[^&]*\//.test(await address(page)));
  const link = await address(page);
  const other = await session.reader({ viewport: { width: 1280, height: 1000 } });
  await other.page.goto(link);
  await other.page.locator(".sheet-of-paper .dot.large").nth(1).waitFor();
  assert.deepEqual(await dotsOf(other.page), ["2,1", "5,3"]);
  await choose(other.page, "term", "0");
  await other.page.locator(".sheet-of-paper .drawn").nth(2).waitFor();
  assert.deepEqual(await dotsOf(other.page), drawn);
  // The shared foot is one dot, and erasing it removes both edges.
  await choose(other.page, "tool", "erase");
  const elsewhere = await paper(other.page);
  await elsewhere.click([3, 8]);
  await wait(other.page, 'hackenbush("0-2") + col("0-1", "..")');
  // Places in the URL do not apply to another picture.
  await other.page.locator("#expression").fill('hackenbush("0-1 1-2 2-3")');
  await other.page.keyboard.press("Enter");
  await until("it is laid out again", async () => (await other.page.locator(".sheet-of-paper .drawn").count()) === 3);
  assert.equal(new Set((await dotsOf(other.page)).map((dot) => dot.split(",")[0])).size, 1);
  sound();
  other.sound();
  await other.close();
  await close();
});

test("Hackenbush with a custom ground is drawn", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: 'hackenbush("5-1 1-0", ground=[5, 7])', view: "edit" }));
  const { drag } = await paper(page);
  await page.locator(".sheet-of-paper .drawn").nth(1).waitFor();
  await matches(page.locator(".sheet-of-paper .dot.foot"), 1);
  const [foot] = await dotsOf(page).then((dots) => dots.filter((dot) => dot.endsWith(",8")));
  const column = Number(foot.split(",")[0]);
  await drag([column === 2 ? 9 : 2, 8], [column === 2 ? 9 : 2, 5]);
  // New vertices get unused names, and the ground keeps its names.
  await wait(page, 'hackenbush("5-1 1-0 5-2", ground=[5, 7])');
  await verdict(page).or(page.locator(".editor-verdict strong")).first().waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await drag([4, 8], [4, 6]);
  await wait(page, 'hackenbush("5-0", ground=[5, 7])');
  sound();
  await close();
});

test("large pictures get a larger sheet, oversized ones an error", async () => {
  const { page, go, sound, close } = await session.reader();
  const tree = (edges) => Array.from({ length: edges }, (_, index) => `${Math.floor(index / 3)}-${index + 1}`).join(" ");
  await go(state({ game: `hackenbush("${tree(500)}")`, view: "edit" }));
  await page.locator(".sheet-of-paper .drawn").nth(499).waitFor({ timeout: 20_000 });
  const dots = await dotsOf(page);
  assert.ok(dots.length > 500 && new Set(dots).size === dots.length, "no two dots are on one place");
  // Cells stay large enough to tap.
  const cell = await page.locator(".sheet-of-paper").evaluate((svg) => svg.getScreenCTM().a * 48);
  assert.ok(cell >= 23, `${cell}`);
  await go(state({ game: `hackenbush("${tree(601)}")`, view: "edit" }));
  await page.locator(".editor").getByText("more than 600 edges").waitFor();
  sound();
  await close();
});

test("graphs are drawn, coloured and given a counter", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: 'node_kayles("0-1")', view: "edit" }));
  let pen = await paper(page);
  await page.locator(".sheet-of-paper .dot").nth(1).waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await pen.click([2, 2]);
  await pen.drag([2, 2], [5, 2]);
  await pen.click([8, 4]);
  await wait(page, 'node_kayles("0-1 2")');
  await go(state({ game: 'col("0-1 1-2", "...")', view: "edit" }));
  pen = await paper(page);
  const dots = page.locator(".sheet-of-paper .dot");
  await dots.nth(2).waitFor();
  await choose(page, "tool", "colour");
  await dots.nth(1).click();
  await wait(page, 'col("0-1 1-2", ".L.")');
  await dots.nth(1).click();
  await wait(page, 'col("0-1 1-2", ".R.")');
  await go(state({ game: 'graph({"a": ["b"], "b": ["c"], "c": []}, "a")', view: "edit" }));
  await dots.nth(2).waitFor();
  await choose(page, "tool", "colour");
  await dots.nth(1).click();
  await wait(page, 'graph({"a": ["b"], "b": ["c"], "c": []}, "b")');
  sound();
  await close();
});

test("the board shows a graph, and a click moves the counter", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: 'graph({"a": ["b", "c", "a"], "b": ["a", "c"], "c": []}, "a")' }));
  const all = page.locator("#board .touch g.move[role=button]");
  await all.nth(1).waitFor();
  // From a to b, to c, and the loop.
  await matches(all, 3);
  assert.deepEqual((await all.allTextContents()).map((text) => text.trim()).sort(), ["a", "b", "c"]);
  await matches(page.locator("#board .touch polygon"), 5);
  await page.locator("#board .mark").nth(2).waitFor();
  await all.filter({ hasText: "c" }).click();
  await until("the counter is on c", async () => (await expression(page)).endsWith('"c")'));
  await verdict(page).getByText("The previous player wins").waitFor();
  assert.equal(await all.count(), 0);
  sound();
  await close();
});

test("squares, numbers and sums are edited", async () => {
  const { page, go, sound, close } = await session.reader();
  await go("#nim(3,4,5)");
  await verdict(page).waitFor();
  await page.getByRole("button", { name: "Edit position" }).click();
  await page.getByRole("button", { name: "Heap 2: more" }).click();
  await wait(page, "nim(3, 5, 5)");
  await page.getByRole("button", { name: "+ Add heap" }).click();
  await wait(page, "nim(3, 5, 5, 1)");
  await page.getByLabel("Game to add").selectOption("domineering");
  await page.getByRole("button", { name: "+ Add game" }).click();
  await until("two games", async () => (await expression(page)).startsWith("nim(3, 5, 5, 1) + domineering("));
  const before = await expression(page);
  const square = page.getByRole("button", { name: /^Row 1, column 1: / });
  await square.click();
  await until("a square is blocked", async () => (await expression(page)) === before.replace('(["', '(["#').replace('#.', '#'));
  await square.press(".");
  await wait(page, before);
  await page.getByRole("button", { name: "Remove component" }).click();
  await wait(page, "nim(3, 5, 5, 1)");
  await go(state({ game: "chomp(4, 3)", view: "edit" }));
  await page.getByRole("button", { name: "Row 3, column 2: free" }).click();
  await wait(page, "chomp(4, 3, 2)");
  await go(state({ game: "strip_coins(1, 3)", view: "edit" }));
  await page.getByRole("button", { name: "Square 5: 0" }).click();
  await wait(page, "strip_coins(1, 3, 5)");
  await go(state({ game: "northcott(8, [[0, 3], [2, 7]])", view: "edit" }));
  await page.getByRole("button", { name: "width: more" }).click();
  await until("wider", async () => (await expression(page)).startsWith("northcott(9, [[0, 3], [2, 7]]"));
  await go(state({ game: "2 * nim(4)", view: "edit" }));
  await page.getByText("Edit this position as text").waitFor();
  sound();
  await close();
});

test("rules are written and played, and errors are shown at their line", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "nim(1)", view: "rules" }));
  const field = page.getByLabel("Rules", { exact: true });
  await field.fill("def moves(n):\n    return [n - k for k in (1, 2) if k <= m]\n");
  await page.locator(".rules-below .trouble").getByText("Line 2:").waitFor();
  await page.locator(".gutter .wrong-line").getByText("2").waitFor();
  await field.fill("def moves(n):\n    return [n - k for k in (1, 2) if k <= n]\n");
  await page.locator(".rules-editor .editor-verdict").getByText("The next player wins").waitFor();
  // Numbers are shown as heaps. The target of a move is the chip that becomes the top one.
  await matches(page.locator("#board g.move[role=button]"), 2);
  await page.locator('#board g.move[data-at="1"]').click();
  await until("two are taken", async () => (await expression(page)) === "game(moves, 8)");
  // Tab indents; Escape followed by Tab leaves the field.
  await field.focus();
  await field.press("Control+End");
  await field.press("Tab");
  assert.match(await field.inputValue(), / {4}$/);
  await field.press("Escape");
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement?.id), "rules");
  // Texts are shown as rows of squares.
  await page.getByLabel("Examples").selectOption({ label: "The SOS game" });
  await until("a row of squares", async () => (await page.locator("#board .touch rect.fill-square").count()) === 7);
  await page.locator("#board g.move[role=button]").nth(5).waitFor();
  // The URL contains the rules.
  const other = await session.reader();
  await other.page.goto(await address(page));
  await other.page.locator("#board .touch rect.fill-square").nth(6).waitFor();
  assert.equal(await other.page.getByLabel("Rules", { exact: true }).inputValue(), await field.inputValue());
  sound();
  await other.close();
  await close();
});

test("every example rule file has a board or a list of moves", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "nim(1)", view: "rules" }));
  const examples = page.getByLabel("Examples");
  const count = (await examples.locator("option").count()) - 1;
  assert.equal(count, 12);
  for (let index = 0; index < count; index += 1) {
    const before = await address(page);
    await examples.selectOption(String(index));
    await until(`example ${index} is open`, async () => (await address(page)) !== before);
    await board(page).locator(".move-button").first().waitFor();
    assert.equal(await page.locator(".rules-below .trouble").count(), 0, `example ${index}`);
  }
  sound();
  await close();
});
