// Tests of the notebook widget of the Python package with pictures of the same engine. The widget
// knows no rules.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { open, until } from "./browser.mjs";

let session;
before(async () => (session = await open()));
after(() => session?.close());

const source = readFileSync(new URL("../../../../python/grundy/widget.js", import.meta.url), "utf8");
const style = readFileSync(new URL("../../../../python/grundy/widget.css", import.meta.url), "utf8");

async function post(question, body) {
  const response = await fetch(`${session.server.address}api/v1/${question}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Returns the state that the Python half of the widget sends. */
async function widgetState(game, moves, text = "") {
  const board = await post("board", { game, moves });
  return { ...board, made: board.made.map((move) => move.move), text };
}

test("a notebook board reports moves made by mouse and keyboard", async () => {
  const page = await session.browser.newPage();
  const told = [];
  page.on("pageerror", (error) => assert.fail(String(error)));
  await page.setContent(`<style>${style}</style><div id="cell"></div>`);
  await page.exposeFunction("told", (message) => told.push(message));
  const show = (state) => page.evaluate((state) => globalThis.change(state), state);
  await page.addScriptTag({ content: source.replace("export default", "globalThis.board =") });
  await page.evaluate((state) => {
    const heard = [];
    const model = { get: () => state, on: (_, hear) => heard.push(hear), off: () => heard.splice(0), send: globalThis.told };
    globalThis.change = (next) => {
      state = next;
      heard.forEach((hear) => hear());
    };
    globalThis.away = globalThis.board.render({ model, el: document.querySelector("#cell") });
  }, await widgetState("nim(3, 4)", ""));
  // A place in the picture identifies its move.
  await page.locator('.grundy-picture [data-at="1,3"]').first().click({ force: true });
  await until("the move was sent", () => told.length === 1);
  assert.deepEqual(told[0], { ask: "play", move: "1 3" });
  await show(await widgetState("nim(3, 4)", told[0].move));
  assert.equal(await page.locator('.grundy-picture [data-at="1,3"]').count(), 0);
  await page.getByRole("button", { name: "take 1 from heap 1" }).last().press("Enter");
  await until("the second move was sent", () => told.length === 2);
  assert.deepEqual(told[1], { ask: "play", move: "0 2" });
  for (const stage of [1, 2, 3, 3]) {
    await page.getByRole("button", { name: "Hint" }).click();
    assert.deepEqual(told.at(-1), { ask: "hint", stage });
  }
  await page.getByRole("button", { name: "Undo" }).click();
  await show(await widgetState("nim(3, 4)", "", "<b>You can win from here.</b>"));
  // Messages are inserted as text, not as HTML.
  await page.getByRole("status").getByText("<b>You can win from here.</b>").waitFor();
  assert.equal(await page.getByRole("button", { name: "Undo" }).isDisabled(), true);
  await page.evaluate(() => globalThis.away());
  await page.close();
});
