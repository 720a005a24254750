// A researcher's tasks with values: forms, thermographs, options, cooling, comparisons, copies; in
// the dark theme, by keyboard, on a phone, in Chinese.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { accessible } from "./accessibility.mjs";
import { address, matches, open, state, until } from "./browser.mjs";
import { choose, expression } from "./workshop.mjs";
import { NO_SERVER, program } from "./server.mjs";


let session;
before(async () => (session = await open()));
after(() => session?.close());

const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());
/** Returns the formula of a value. */
const formula = (place, value) => place.locator(`math[data-value="${value}"]`);
const grundyJson = (...keys) => JSON.parse(execFileSync(program, ["value", ...keys, "--json", "--latex"], { encoding: "utf8" }));

const BOARD = "domineering(board(2, 3))";

test("a value is shown, cooled, compared and copied", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "nim(1)", view: "value" }));
  await formula(page.locator(".value-form h2"), "*").waitFor();
  await page.locator("#expression").fill(BOARD);
  await page.keyboard.press("Enter");
  await formula(page.locator(".value-form h2"), "{2|-1/2}").waitFor();
  assert.match(await address(page), /view=value/);
  // The formula is rendered, not only present as text.
  const drawn = await formula(page.locator(".value-form h2"), "{2|-1/2}").evaluate((math) => ({ namespace: math.namespaceURI, fraction: math.querySelector("mfrac").getBoundingClientRect().height, line: math.getBoundingClientRect().height, text: math.textContent }));
  assert.equal(drawn.namespace, "http://www.w3.org/1998/Math/MathML");
  assert.equal(drawn.text, "{2|−12}");
  assert.ok(drawn.fraction > 20 && drawn.line < 100, JSON.stringify(drawn));
  await page.locator(".value-outcome").first().getByText("The first player wins").waitFor();
  const fact = (name) => page.locator(".value-view > .facts > div", { has: page.locator("dt", { hasText: name }) }).locator("dd");
  await formula(fact("Mean"), "3/4").waitFor();
  await formula(fact("Temperature"), "5/4").waitFor();
  assert.deepEqual(await fact("Left stop").locator("math").evaluateAll((all) => all.map((one) => one.dataset.value)), ["2", "-1/2"]);
  await page.getByRole("img", { name: "Thermograph: mean 3/4, temperature 5/4" }).first().waitFor();

  // Options of both players, whoever is to move; an option is expanded, and an option of it.
  const left = page.getByRole("group", { name: "Options of Left" });
  const right = page.getByRole("group", { name: "Options of Right" });
  await right.locator("li").nth(3).waitFor();
  assert.deepEqual(await left.locator("math").evaluateAll((all) => all.map((one) => one.dataset.value)), ["+-1", "2", "+-1"]);
  assert.deepEqual(await right.locator("math").evaluateAll((all) => all.map((one) => one.dataset.value)), Array(4).fill("-1/2"));
  await left.getByRole("button", { name: /\(0, 0\) and \(1, 0\)/ }).click();
  const option = page.getByRole("region", { name: 'Value of domineering(["#..", "#.."])' });
  await formula(option.locator("h4").first(), "+-1").waitFor();
  await option.getByRole("group", { name: "Options of Left" }).getByRole("button").first().click();
  const after = option.getByRole("region", { name: /^Value of/ });
  await formula(after.locator("h4"), "1").waitFor();
  const kept = await address(page);
  await page.reload();
  await formula(page.getByRole("region", { name: /^Value of/ }).nth(1).locator("h4"), "1").waitFor();
  assert.equal(await address(page), kept);

  await choose(page, "value-change", "cool");
  const changed = page.locator(".value-changed");
  await formula(changed.locator("h3"), grundyJson(BOARD, "--cool", "1/2").value).waitFor();
  await page.getByRole("slider", { name: "Cool by the temperature" }).focus();
  // Steps of one sixteenth: 1/2, 9/16, 5/8.
  for (const key of ["ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await formula(changed.locator("h3"), grundyJson(BOARD, "--cool", "5/8").value).waitFor();
  await page.getByRole("textbox", { name: "Cool by the temperature" }).fill("-1");
  await page.getByText("expected a non-negative number, such as 1/2").waitFor();
  for (const [change, keys] of Object.entries({ freeze: ["--freeze"], heat: ["--heat", "1"], overheat: ["--overheat", "1,1"], norton: ["--norton", "^"] })) {
    await choose(page, "value-change", change);
    await until(`${change} is shown`, async () => (await changed.locator("h3").getAttribute("aria-label")) === `Value: ${grundyJson(BOARD, ...keys).value}`);
  }
  await page.getByRole("button", { name: "Command" }).click();
  await until("the command is copied", async () => (await clipboard(page)) === `grundy value 'domineering(["...", "..."])' --norton="^"`);
  await choose(page, "value-change", "none");

  const other = page.getByRole("textbox", { name: "Second game" });
  for (const [text, sign, words] of [
    ["{2|-1/2}", "=", "The games are equal"],
    ["3", "<", "The first game is less"],
    ["1", "∥", "The games are confused"],
    ["domineering(board(2, 2))", ">", "The first game is greater"],
  ]) {
    await other.fill(text);
    await page.keyboard.press("Enter");
    await page.locator(".value-compared").getByText(words).waitFor();
    assert.equal(await page.locator(".relation").innerText(), sign, text);
  }
  assert.match(await address(page), /value\.with=domineering\(board\(2,%202\)\)/);

  const copied = async (name, text) => {
    await page.getByRole("button", { name, exact: true }).click();
    await until(`${name} is copied`, async () => (await clipboard(page)) === text);
  };
  await copied("Value", "{2|-1/2}");
  await copied("LaTeX", grundyJson(BOARD).latex);
  await copied("Python", 'grundy.value("domineering([\\"...\\", \\"...\\"])")');
  await copied("Command", `grundy value 'domineering(["...", "..."])'`);
  await copied("Link", await address(page));

  // The view follows a move on the board.
  await page.getByRole("button", { name: /Left: place a domino on \(0, 1\) and \(1, 1\)/ }).last().click();
  await formula(page.locator(".value-form h2"), "2").waitFor();
  assert.equal(await page.getByRole("region", { name: /^Value of/ }).count(), 0, "what was open belongs to another position");
  sound();
  await close();
});

test("values of sums, literals and heaps; a game without one says why", async () => {
  const { page, go, sound, close } = await session.reader();
  const form = page.locator(".value-form h2");
  await go(state({ game: 'literal("{0||0|-2}") + literal("{4||1|0}")', view: "value" }));
  const { value } = grundyJson('literal("{0||0|-2}") + literal("{4||1|0}")');
  await formula(form, value).waitFor();
  await go(state({ game: 'literal("Tiny(1/2)")', view: "value" }));
  await formula(form, "Tiny(1/2)").waitFor();
  await matches(form.locator("msub"), 1);
  await go(state({ game: "nim(3)", view: "value" }));
  await formula(form, "*3").waitFor();
  // Both players have the same options, which are listed once.
  await page.getByRole("group", { name: "Options", exact: true }).locator("li").nth(2).waitFor();
  assert.equal(await page.getByRole("group", { name: /Options of/ }).count(), 0);
  await go(state({ game: "tic_tac_toe()", view: "value" }));
  await page.locator(".trouble").getByText("values are defined only for games in which the last move decides").waitFor();
  await page.getByRole("button", { name: BOARD }).click();
  await formula(form, "{2|-1/2}").waitFor();
  assert.equal(await expression(page), BOARD);
  sound();
  await close();
});

test("positions with a value, temperatures, and the games of a day", async () => {
  const { page, go, sound, close } = await session.reader();
  const found = (...keys) => JSON.parse(execFileSync(program, ["value", "--json", ...keys], { encoding: "utf8" }));
  await go(state({ game: BOARD, view: "value" }));
  await choose(page, "value-many", "find");
  const value = page.getByRole("textbox", { name: /Value, such as/ });
  await value.fill("1/2");
  await page.getByRole("combobox", { name: /Name of a game played on squares/ }).fill("toppling_dominoes");
  await page.getByRole("textbox", { name: /Largest board/ }).fill("4");
  await page.keyboard.press("Enter");
  const many = page.locator(".value-part", { has: page.getByRole("heading", { name: "Many games" }) });
  const known = found("--find", "toppling_dominoes", "--equals", "1/2", "--within", "4");
  assert.ok(known.positions.length > 0);
  await until("they are listed", async () => JSON.stringify(await many.locator(".value-options code").allInnerTexts()) === JSON.stringify(known.positions));
  await many.getByText(`${known.looked_at} positions searched`).waitFor();
  await many.locator(".value-options button").first().click();
  await formula(page.locator(".value-form h2"), "1/2").waitFor();
  assert.equal(await expression(page), known.positions[0]);

  await go(state({ game: BOARD, view: "value", "value.many": "random", "value.many.game": "clobber", "value.many.within": "2x3", "value.many.sample": "30" }));
  const sample = found("--random", "30", "clobber", "--within", "2x3", "--seed", "1");
  await many.getByText(`30 temperatures: mean ${sample.mean}`).waitFor();
  await matches(many.locator("tbody tr"), sample.histogram.length);
  assert.equal(await many.locator(".value-options code").first().innerText(), sample.hottest[0].game);
  await many.getByRole("button", { name: "New sample" }).click();
  const other = found("--random", "30", "clobber", "--within", "2x3", "--seed", "2");
  await many.getByText(`30 temperatures: mean ${other.mean}, standard deviation ${other.deviation}`).waitFor();

  await choose(page, "value-many", "born");
  await many.getByText("22 values are born by day 2.").waitFor();
  await many.getByRole("img", { name: "Order of the games born by day 2" }).waitFor();
  await matches(many.locator(".value-options li"), 22);
  await many.getByRole("button", { name: "Day: more" }).click();
  await many.getByText("1474 values are born by day 3.").waitFor();
  await many.getByRole("button", { name: "Show all 1474" }).waitFor();
  await choose(page, "value-many", "find");
  await page.getByRole("combobox", { name: /Name of a game played on squares/ }).fill("nim");
  await many.locator(".trouble").waitFor();
  sound();
  await close();
});

// The answer of a server with a shorter time limit.
test("values omitted by a limit are not shown as known", { skip: NO_SERVER }, async () => {
  const { page, context, go, sound, close } = await session.reader();
  const whole = grundyJson(BOARD);
  const { value: _, latex: __, atomic_weight: ___, reduced: ____, birthday: _____, incentives: ______, ...known } = whole;
  const stopped = { kind: "limit", message: "the computation needs more than 100 positions", at: null };
  await context.route(/\/api\/v1\/value$/, (route) => route.fulfill({ json: { ...known, status: "partial", stopped } }));
  await go(state({ game: BOARD, view: "value" }));
  await page.getByRole("heading", { name: "The canonical form is unknown." }).waitFor();
  await page.getByText("the computation needs more than 100 positions").first().waitFor();
  await page.locator(".facts").first().getByText("Temperature").waitFor();
  for (const name of ["Birthday", "Reduced form", "Atomic weight", "Incentives of Left"]) assert.equal(await page.locator("dt", { hasText: name }).count(), 0, name);
  assert.equal(await page.getByRole("button", { name: "LaTeX" }).count(), 0);
  sound();
  await close();
});

const OPENED = state({ game: BOARD, view: "value", "value.open": 'domineering(["#..", "#.."])', "value.change": "cool", "value.with": "{2|*}" });
const LARGE = state({ game: `${BOARD} + literal("{2||0|Tiny(1/2),v[3]*2}") + domineering(board(3, 3))`, view: "value", "value.change": "overheat" });
const MANY = ["find", "random", "born"].map((kind) => state({ game: BOARD, view: "value", "value.change": "cool", "value.many": kind, "value.many.within": "2x2" }));
const ready = async (page) => {
  await page.locator(".value-options button").first().waitFor();
  await page.locator(".value-changed .facts").waitFor();
  await page.waitForLoadState("networkidle");
};

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in values, ${colorScheme}`, async () => {
    const { page, go, sound, close } = await session.reader({ colorScheme });
    for (const hash of [OPENED, LARGE, ...MANY]) {
      await go(hash);
      await ready(page);
      await accessible(page, hash);
    }
    sound();
    await close();
  });
}

test("on a phone values fit, and options open by touch", async () => {
  const { page, go, sound, close } = await session.reader({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const hash of [OPENED, LARGE, ...MANY]) {
    await go(hash);
    await ready(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), `${hash} is too wide`);
    const small = await page.locator("#panel button:visible, #panel input:visible").evaluateAll((all) =>
      all.filter((one) => !one.matches(".link, [type=radio]") && one.getBoundingClientRect().height < 40).map((one) => one.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(small, []);
  }
  const option = page.locator(".value-options button").first();
  await option.tap();
  await page.getByRole("region", { name: /^Value of/ }).waitFor();
  sound();
  await close();
});

test("options open and close by keyboard", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: BOARD, view: "value" }));
  const option = page.locator(".value-options button").nth(1);
  await option.focus();
  await page.keyboard.press("Enter");
  const card = page.getByRole("region", { name: /^Value of/ });
  await formula(card.locator("h4"), "2").waitFor();
  assert.equal(await option.getAttribute("aria-expanded"), "true");
  assert.ok(await option.evaluate((button) => button === document.activeElement), "the focus stays");
  await page.keyboard.press("Enter");
  await until("it is closed", async () => (await card.count()) === 0);
  sound();
  await close();
});

test("values are Chinese on the Chinese page", async () => {
  const { page, go, sound, close } = await session.reader({ locale: "zh-CN" });
  await go(`${OPENED}&lang=zh`);
  await ready(page);
  for (const words of ["温度", "均值", "左方的后继", "右方的激励"]) await page.locator("#panel").getByText(words, { exact: true }).first().waitFor();
  await page.locator("#panel").getByText("前者较小：无论谁先走，右方都赢得两者之差。").waitFor();
  const english = await page.evaluate(() => {
    const left = [];
    const walker = document.createTreeWalker(document.querySelector("#panel"), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest("code, svg, math")) continue;
      if (/[a-z]{2,} [a-z]{2,}/i.test(node.data)) left.push(node.data);
    }
    return left;
  });
  assert.deepEqual(english, []);
  sound();
  await close();
});
