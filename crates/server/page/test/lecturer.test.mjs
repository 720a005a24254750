// A lecturer's tasks: prepare positions, step through an explanation, share the link.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { address, matches, open, state, until, verdict } from "./browser.mjs";

let session;
before(async () => (session = await open()));
after(() => session?.close());

test("a lecture is stepped through by keyboard", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "nim(3, 4, 5)", view: "lecture" }));
  await page.getByLabel("Positions").fill("nim(1, 2)\nkayles(3)");
  assert.match(await address(page), /list=nim\(1,%202\)%0Akayles\(3\)/);
  await page.getByRole("button", { name: "Start lecture" }).click();
  const show = page.locator(".show");
  await show.getByText("nim(1, 2)").waitFor();
  const counter = page.locator(".show-foot .counter");
  await until("the steps are there", async () => /^0 of [2-9]/.test(await counter.innerText()));
  const steps = Number((await counter.innerText()).split(" ").at(-1));
  assert.equal(await page.locator(".show-text").count(), 0, "at first the board alone");
  await page.keyboard.press("PageDown");
  await page.locator(".show-text .stage-number").getByText("1").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator(".show-text .stage-number").getByText("2").waitFor();
  await page.keyboard.press("PageUp");
  await page.locator(".show-text .stage-number").getByText("1").waitFor();
  // The answer is hidden until it is revealed.
  assert.equal(await page.locator(".show-answer").innerText(), "");
  await page.keyboard.press("a");
  await page.locator(".show-answer").getByText("The next player wins").waitFor();
  await page.keyboard.press("a");
  await until("the answer is hidden", async () => (await page.locator(".show-answer").innerText()) === "");
  for (let step = 1; step < steps; step += 1) await page.keyboard.press(" ");
  await until("the last step is shown", async () => (await counter.innerText()) === `${steps} of ${steps}`);
  await page.keyboard.press("PageDown");
  await show.getByText("kayles(3)").first().waitFor();
  await page.keyboard.press("ArrowUp");
  await show.getByText("nim(1, 2)").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Prepare a lecture" }).waitFor();
  sound();
  await close();
});

test("a shared link opens the same state in another browser", async () => {
  const lecturer = await session.reader();
  await lecturer.go(state({ game: 'hackenbush("0-1 1-2 1-3")', play: "misere", moves: "1", view: "explain", lang: "zh" }));
  await lecturer.page.locator(".stages li").first().waitFor();
  const [link, title] = [await address(lecturer.page), await lecturer.page.title()];
  const steps = await lecturer.page.locator(".stages").innerText();
  const student = await session.reader();
  await student.page.goto(link);
  await student.page.locator(".stages li").first().waitFor();
  assert.equal(await student.page.title(), title);
  assert.equal(await student.page.locator(".stages").innerText(), steps);
  assert.equal(await address(student.page), link);
  await lecturer.close();
  await student.close();
});

test("Back leaves a game in one step", async () => {
  const { page, go, close } = await session.reader();
  await go("#nim(3,4,5)");
  await verdict(page).waitFor();
  const entries = await page.evaluate(() => history.length);
  for (const at of ["0,0", "1,0"]) await page.locator(`#board g.move[data-at="${at}"]`).click();
  await until("two moves are made", async () => (await address(page)).includes("moves="));
  assert.equal(await page.evaluate(() => history.length), entries);
  await close();
});

/** Returns the file that a click on a button saves. */
async function saved(page, name) {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name }).click();
  return download;
}

test("a lecture is saved as one page that prints a position per sheet", async () => {
  const { page, context, go, sound, close } = await session.reader();
  const list = ["nim(3, 4, 5)", "kayles(7)", 'hackenbush("0-1:b 1-2")'];
  await go(state({ game: "nim(1)", view: "lecture", list: list.join("\n") }));
  let files = 0;
  page.on("download", () => (files += 1));
  const file = await saved(page, "Save as printable HTML");
  assert.equal(file.suggestedFilename(), "lecture.html");
  await page.locator(".note").getByText("Positions: 3").waitFor();
  assert.equal(files, 1);
  // The saved page must work offline.
  const printed = await context.newPage();
  const asked = [];
  printed.on("request", (request) => asked.push(request.url()));
  await context.setOffline(true);
  const text = await readFile(await file.path(), "utf8");
  assert.doesNotMatch(text, /<script|src=|@import|url\(/);
  await printed.setContent(text);
  assert.deepEqual(asked, []);
  const articles = printed.locator("article");
  assert.deepEqual(await articles.locator("h1").allTextContents(), list);
  assert.deepEqual(await printed.locator("nav a").allTextContents(), list);
  for (const [index, said] of ["Bouton", "Grundy value: 2", "Left wins"].entries()) {
    const article = articles.nth(index);
    await matches(article.locator("h1 + figure svg"), 1);
    await article.locator("ol li").nth(1).waitFor();
    assert.match(await article.innerText(), new RegExp(said));
  }
  await articles.first().locator("ol figure svg").first().waitFor();
  await printed.emulateMedia({ media: "print" });
  const breaks = await articles.evaluateAll((all) => all.map((article) => getComputedStyle(article).breakBefore));
  assert.deepEqual(breaks, ["auto", "page", "page"]);
  assert.equal(await printed.locator("nav").isVisible(), false);
  assert.equal(await printed.evaluate(() => document.compatMode), "CSS1Compat");
  sound();
  await close();
});

test("without a list the current position is saved; errors are shown", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "nim(3, 4, 5)", moves: "0 1", view: "lecture", lang: "zh" }));
  const text = await readFile(await (await saved(page, "存为可打印的 HTML")).path(), "utf8");
  assert.match(text, /<html lang="zh-CN"/);
  assert.match(text, /<h1><code>nim\(1, 4, 5\)<\/code><\/h1>/);
  assert.match(text, /后手必胜|先手必胜/);
  await go(state({ game: "nim(1)", view: "lecture", list: "nim(1)\nnimm(2)", lang: "en" }));
  let files = 0;
  page.on("download", () => (files += 1));
  await page.getByRole("button", { name: "Save as printable HTML" }).click();
  await page.locator(".note").getByText("nimm(2): there is no game named").waitFor();
  assert.equal(files, 0);
  sound();
  await close();
});
