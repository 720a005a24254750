// Tests of the custom element on other pages: two boards, two languages, inline rules, keyboard and
// touch, and files from another host.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { accessible } from "./accessibility.mjs";
import { matches, open, until } from "./browser.mjs";
import { host } from "./folder.mjs";

const folder = process.env.PAGE;
if (!folder) throw new Error("PAGE is the folder that ./page.sh has built");

let session, course, own, elsewhere;
before(async () => {
  session = await open();
  course = await mkdtemp(join(tmpdir(), "grundy-course-"));
  own = await host({ "/grundy/": folder, "/": course });
  // A host that permits cross-origin requests, as public file hosts do.
  elsewhere = await host({ "/grundy/": folder }, 0, { "Access-Control-Allow-Origin": "*" });
});
after(async () => {
  await session?.close();
  await own?.stop();
  await elsewhere?.stop();
  if (course) await rm(course, { recursive: true });
});

const RULES = "def moves(n):\n    return [n - k for k in [1, 2] if k <= n]\n";

/** Opens a page of a course with boards on it. */
async function lesson(boards, { from = "/grundy/", style = "", lang = "en", ...options } = {}) {
  const head = `<meta charset="utf-8"><title>A lesson</title><link rel="icon" href="data:,"><style>${style}</style><script defer src="${from}grundy-board.js"></script>`;
  await writeFile(join(course, "index.html"), `<!doctype html><html lang="${lang}"><head>${head}</head><body><main><h1>Nim</h1>${boards}</main></body></html>`);
  const reader = await session.reader({ viewport: { width: 900, height: 1200 }, ...options });
  await reader.page.goto(`${own.origin}/`);
  return reader;
}

const moves = (board) => board.locator("g.move[role=button]");

test("two boards in two languages share one engine", async () => {
  const asked = own.asked.length;
  const { page, sound, close } = await lesson('<grundy-board id="one" game="nim(3, 4, 5)"></grundy-board><grundy-board id="two" lang="zh" game="kayles(5)" play="misere"></grundy-board>');
  const [one, two] = [page.locator("#one"), page.locator("#two")];
  await moves(one).first().waitFor();
  await moves(two).first().waitFor();
  await matches(moves(one), 12);
  // The answer is shown only on request.
  assert.equal(await page.locator("[part=answer]").count(), 0);
  await one.getByRole("button", { name: "Who wins?" }).click();
  await one.getByText("The next player wins").waitFor();
  await one.getByText("equal to a Nim heap of size 2").waitFor();
  await two.getByRole("button", { name: "谁必胜？" }).click();
  await two.locator(".verdict h2").getByText(/[先后]手必胜/).waitFor();
  await one.locator('g.move[data-at="0,1"]').click();
  await one.getByText("The previous player wins").waitFor();
  assert.match((await two.locator("[part=turn]").textContent()) ?? "", /先手/);
  await one.getByRole("button", { name: "Undo", exact: true }).click();
  await one.getByText("The next player wins").waitFor();
  const files = own.asked.slice(asked);
  assert.equal(files.filter((path) => path.endsWith(".wasm")).length, 1);
  sound();
  await close();
});

test("a board is played by keyboard and by touch", async () => {
  const boards = '<grundy-board game="nim(3, 4, 5)"></grundy-board>';
  const { page, close } = await lesson(boards);
  const board = page.locator("grundy-board");
  await moves(board).first().waitFor();
  const focus = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("data-at") ?? null);
  await page.keyboard.press("Tab");
  for (let stops = 0; stops < 3 && (await focus()) === null; stops += 1) await page.keyboard.press("Tab");
  const first = await focus();
  assert.ok(first);
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await focus(), first);
  const before = await moves(board).count();
  await page.keyboard.press("Enter");
  await until("the move is made", async () => (await moves(board).count()) < before);
  assert.ok(await focus(), "the focus stays on the board");
  await close();
  const phone = await lesson(boards, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await phone.page.locator('g.move[data-at="0,0"]').tap();
  await until("the heap is gone", async () => (await phone.page.locator('g.move[data-at="0,0"]').count()) === 0);
  assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= 980), "it is as wide as its page");
  await phone.close();
});

test("inline rules, an opponent, events, and changed attributes", async () => {
  const { page, sound, close } = await lesson(`<grundy-board game="game(moves, 5)" opponent="second" answer="never"><script type="text/x-grundy-rules">${RULES}</script></grundy-board>`);
  const board = page.locator("grundy-board");
  await page.evaluate(() => {
    globalThis.heard = [];
    document.addEventListener("grundy-position", (event) => globalThis.heard.push(event.detail));
  });
  await board.getByText("Your move").waitFor();
  assert.equal(await board.getByRole("button", { name: "Who wins?" }).count(), 0);
  assert.equal(await board.getByRole("button", { name: "Hint" }).count(), 0);
  await board.locator("details summary").click();
  await board.locator(".move-button").first().click();
  await until("the program has answered", () => page.evaluate(() => globalThis.heard.length >= 2 && globalThis.heard.at(-1).moves.split(";").length === 2));
  // Another game creates a new board.
  await board.evaluate((element) => {
    element.setAttribute("game", "nim(1, 2)");
    element.setAttribute("opponent", "none");
    element.setAttribute("answer", "shown");
    element.lang = "zh";
  });
  await board.locator(".verdict").getByText("先手必胜").waitFor();
  await matches(moves(board), 3);
  // A removed element leaves nothing behind, and starts again when it is inserted.
  await board.evaluate((element) => {
    globalThis.kept = element;
    element.remove();
  });
  await page.evaluate(() => document.body.append(globalThis.kept));
  await moves(board).first().waitFor();
  sound();
  await close();
});

test("an error stays inside its board and does not affect others", async () => {
  const { page, close } = await lesson('<grundy-board id="wrong" game="nimm(3)"></grundy-board><grundy-board id="right" game="nim(2)"></grundy-board>');
  const wrong = page.locator("#wrong").getByRole("alert");
  await wrong.getByText("there is no game named").waitFor();
  await wrong.getByText("did you mean").waitFor();
  await moves(page.locator("#right")).first().waitFor();
  await close();
});

test("a board follows the styles and the theme of its page", async () => {
  const style = "grundy-board.own { --grundy-tone-chip: #112233; } grundy-board::part(frame) { border: 5px solid #445566; }";
  const { page, close } = await lesson('<grundy-board class="own" id="own" game="nim(2)"></grundy-board><grundy-board id="dark" theme="dark" game="nim(2)"></grundy-board>', { style });
  const own = page.locator("#own");
  await moves(own).first().waitFor();
  assert.equal(await own.locator(".fill-chip").first().evaluate((chip) => getComputedStyle(chip).fill), "rgb(17, 34, 51)");
  assert.equal(await own.locator("[part=frame]").evaluate((frame) => getComputedStyle(frame).borderTopWidth), "5px");
  const dark = page.locator("#dark");
  await moves(dark).first().waitFor();
  const ground = (board) => board.locator("[part=frame]").evaluate((frame) => getComputedStyle(frame).backgroundColor);
  assert.notEqual(await ground(dark), await ground(own));
  await close();
});

test("boards load from another host and from disk", async () => {
  const { page, sound, close } = await lesson('<grundy-board game="nim(3, 4, 5)" answer="shown"></grundy-board>', { from: `${elsewhere.origin}/grundy/` });
  await page.locator("grundy-board").getByText("The next player wins").waitFor();
  sound();
  await close();
  const disk = await session.reader();
  await writeFile(join(course, "disk.html"), `<!doctype html><meta charset="utf-8"><script defer src="${pathToFileURL(join(folder, "grundy-board.js"))}"></script><grundy-board game="nim(3, 4, 5)" answer="shown"></grundy-board>`);
  await disk.page.goto(String(pathToFileURL(join(course, "disk.html"))));
  await disk.page.locator("grundy-board").getByText("The next player wins").waitFor({ timeout: 20000 });
  disk.sound();
  await disk.close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in boards, ${colorScheme}`, async () => {
    const boards = `<grundy-board game="nim(3, 4, 5)" answer="shown"></grundy-board><grundy-board lang="zh" game='hackenbush("0-1 1-2:b")'></grundy-board><grundy-board game="nimm(3)"></grundy-board>`;
    const { page, close } = await lesson(boards, { colorScheme, style: colorScheme === "dark" ? "body { background: #111; color: #eee; }" : "" });
    await page.locator("grundy-board .verdict").first().waitFor();
    await page.getByRole("alert").waitFor();
    for (const summary of await page.locator("grundy-board summary").all()) await summary.click();
    await page.locator("grundy-board .move-button").first().waitFor();
    await accessible(page, "boards");
    await close();
  });
}
