// A researcher's tasks in misère play: quotients with certificates, genera, canonical forms,
// distinguishing games; in the dark theme, on a phone, in Chinese.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { accessible } from "./accessibility.mjs";
import { address, matches, open, state, until, verdict } from "./browser.mjs";
import { choose, expression } from "./workshop.mjs";
import { NO_SERVER, program } from "./server.mjs";


let session;
before(async () => (session = await open()));
after(() => session?.close());

const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());
const grundyJson = (...keys) => JSON.parse(execFileSync(program, [...keys, "--json"], { encoding: "utf8" }));
/** Returns the definition of a term in a list of facts. */
const fact = (page, name) => page.locator("#panel .facts > div", { has: page.locator("dt", { hasText: name }) }).locator("dd");
const typeset = (place) => place.locator("math").evaluateAll((all) => all.map((one) => one.dataset.value));
const quotient = (family, more = {}) => state({ game: "nim(3)", view: "quotient", "quotient.family": family, ...more });

test("a quotient is found, and its certificate verifies", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "kayles(9)", view: "quotient" }));
  await page.getByRole("heading", { name: "The misère quotient of kayles(n) has order 40." }).waitFor({ timeout: 60000 });
  const known = grundyJson("quotient", "kayles(n)");
  await page.locator(".found .status").getByText("proved").waitFor();
  await page.locator(".found").getByText(`This is proved for all sums, by a transition algebra of ${known.transitions.toLocaleString("en")} elements.`).waitFor();
  assert.deepEqual(await typeset(fact(page, "P-elements (9)")), known.p);
  assert.deepEqual(await typeset(fact(page, "Idempotents")), known.idempotents);
  assert.deepEqual(await typeset(fact(page, "Kernel")), known.kernel);
  assert.equal((await fact(page, "Generators").innerText()).normalize("NFKC").replace(/\s+/g, " "), "a = Φ(1) b = Φ(2) c = Φ(5) d = Φ(9) e = Φ(12) f = Φ(25) g = Φ(27)");
  const relations = (await typeset(fact(page, "Relations"))).map((one) => one.trim());
  assert.equal(`<a,b,c,d,e,f,g | ${relations.join(", ")}>`, known.presentation);
  // The pretending function: the preperiod and one period, a row for each period. P-positions are
  // marked by more than a colour.
  await page.getByText("They have period 12 from n = 71 onwards.").waitFor();
  const cells = page.locator(".pretending td");
  assert.deepEqual(await typeset(page.locator(".pretending tbody")), known.elements.slice(0, 82));
  await matches(page.locator(".pretending tbody tr").first().locator("td"), 12);
  const marked = await cells.evaluateAll((all) => all.flatMap((cell, at) => (cell.querySelector(".losing") ? [at + 1] : [])));
  assert.deepEqual(marked, known.elements.slice(0, 82).flatMap((element, at) => (known.p.includes(element) ? [at + 1] : [])));
  assert.equal(await page.locator(".losing").first().evaluate((one) => getComputedStyle(one).borderStyle), "double");
  await page.getByRole("img", { name: "Elements of the misère quotient of kayles(n), by layers" }).waitFor();
  await matches(page.locator(".shown svg .losing"), 9);

  const copied = async (name, text) => {
    await page.getByRole("button", { name, exact: true }).first().click();
    await until(`${name} is copied`, async () => (await clipboard(page)) === text);
  };
  await copied("Presentation", known.presentation);
  await copied("Command", 'grundy quotient "kayles(n)"');
  await copied("Python", 'grundy.quotient("kayles(n)")');
  await page.getByRole("button", { name: "CSV", exact: true }).click();
  await until("the elements are copied", async () => (await clipboard(page)).startsWith("n,element\n1,a\n2,b\n3,ab\n"));
  const saved = async (name) => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    return await download;
  };
  const picture = await saved("Save picture");
  assert.equal(picture.suggestedFilename(), "kayles-n.svg");
  assert.match(await readFile(await picture.path(), "utf8"), /^<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  const certificate = await saved("Save certificate");
  assert.equal(certificate.suggestedFilename(), "kayles-n.json");
  const verified = grundyJson("verify", await certificate.path());
  assert.equal(verified.valid, true);
  assert.equal(verified.order, 40);
  await page.getByRole("button", { name: "Check here" }).click();
  await page.locator(".checked").getByText("The certificate is valid.").waitFor({ timeout: 20000 });

  // The result survives a change of view. Then another family is entered.
  await page.getByRole("tab", { name: "Analyse" }).click();
  await verdict(page).waitFor();
  await page.getByRole("tab", { name: "Quotient" }).click();
  await page.getByRole("heading", { name: /has order 40/ }).waitFor({ timeout: 1000 });
  const field = page.getByLabel("Family of heaps with one free variable, or a list of positions");
  await field.fill("take_and_break('0.75', n)");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "The misère quotient of take_and_break('0.75', n) has order 8." }).waitFor();
  assert.deepEqual(await typeset(fact(page, "Known as")), ["R_8"]);
  const link = await address(page);
  assert.match(link, /view=quotient/);
  const other = await session.reader();
  await other.go(new URL(link).hash);
  await other.page.getByRole("heading", { name: "The misère quotient of take_and_break('0.75', n) has order 8." }).waitFor();
  await other.close();
  sound();
  await close();
});

test("quotients of subtraction games, lists of positions and rule files", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(quotient("subtraction([2, 3, 7], n)"));
  await page.getByRole("heading", { name: /has order 6/ }).waitFor();
  await fact(page, "Known as").getByText("Tame: its sums behave like sums of Nim heaps.").waitFor();
  assert.deepEqual(await typeset(fact(page, "Known as")), ["T_2"]);
  await go(quotient("[chomp(3, 2), kayles(7)]"));
  await page.getByRole("heading", { name: "The misère quotient of [chomp(3, 2), kayles(7)] has order 12." }).waitFor();
  await page.getByRole("heading", { name: "Elements Φ(n) of the positions" }).waitFor();
  assert.deepEqual(await typeset(page.locator(".pretending tbody")), ["1", "b"]);
  assert.deepEqual(await fact(page, "Generators").locator("code").allInnerTexts(), ["chomp(1, 1)", "chomp(1, 1, 1)", "kayles(5)"]);
  await page.getByRole("button", { name: "Save certificate" }).waitFor();
  // Take 1 or 2 chips: quotients of rule files are observed, not proved, and have no certificate.
  const rules = "def moves(n):\n    return [n - k for k in (1, 2) if n >= k]\n";
  await go(quotient("game(moves, n)", { rules, "quotient.max": "120" }));
  await page.getByRole("heading", { name: /The misère quotient of the first \d+ heaps of game\(moves, n\) has order 6\./ }).waitFor();
  await page.locator(".found .status").getByText("observed").waitFor();
  await page.getByText(/They appear to have period 3 from n = 1 onwards/).waitFor();
  await page.getByText("No certificate is available here").waitFor();
  assert.equal(await page.getByRole("button", { name: "Save certificate" }).count(), 0);
  sound();
  await close();
});

test("a partial quotient is marked, extended and cancelled", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(quotient("dawsons_kayles(n)", { "quotient.max": "12" }));
  await page.getByRole("heading", { name: "The misère quotient of the first 12 heaps of dawsons_kayles(n) has order 12." }).waitFor();
  await page.locator(".found .status").getByText("partial").waitFor();
  await page.getByText("Larger heaps may add new elements.").waitFor();
  assert.equal(await page.getByText(/The time limit of/).count(), 0, "it was the number that ended it");
  await page.getByRole("button", { name: "Command", exact: true }).first().click();
  await until("the command says how far", async () => (await clipboard(page)) === 'grundy quotient "dawsons_kayles(n)" --max 12');
  await page.getByRole("button", { name: "Largest heap: more" }).click();
  await page.getByRole("heading", { name: /the first 13 heaps/ }).waitFor();
  assert.match(await address(page), /quotient\.max=13/);
  // The time limit is reached before all heaps are examined.
  await go(quotient("dawsons_kayles(n)", { "quotient.seconds": "2" }));
  await page.getByText("The time limit of 2 seconds was reached.").waitFor();
  await page.locator(".found .status").getByText("partial").waitFor();
  await page.getByRole("button", { name: "Allow 12 seconds" }).click();
  await page.getByText(/Heaps so far: \d+ · order \d+/).waitFor();
  assert.match(await address(page), /quotient\.seconds=12/);
  // The page stays usable while the computation continues.
  await page.getByRole("tab", { name: "Analyse" }).click();
  await verdict(page).waitFor();
  await page.getByRole("tab", { name: "Quotient" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Cancelled.").first().waitFor();
  assert.equal(await page.locator("progress").count(), 0);
  await page.getByRole("button", { name: "Compute" }).click();
  await page.locator("progress").waitFor();
  sound();
  await close();
});

test("a family without a quotient says why and offers others", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(quotient("nim(3)"));
  await page.locator(".trouble").getByText("expected a family of positions with one variable, or a list of positions").waitFor();
  await go(quotient("domineering(board(2, n))"));
  await page.locator(".trouble").getByText("impartial").waitFor();
  await go(quotient("kayles(n"));
  await page.locator(".trouble p").first().waitFor();
  await page.getByRole("button", { name: "take_and_break('0.75', n)" }).click();
  await page.getByRole("heading", { name: /has order 8/ }).waitFor();
  sound();
  await close();
});

test("misère values show genus, class and form, and a distinguishing game", async () => {
  const { page, go, sound, close } = await session.reader();
  const heading = (genus) => page.getByRole("heading", { name: `Genus: ${genus}`, exact: true });
  await go(state({ game: "kayles(5)", view: "value" }));
  await page.locator('.value-form h2 math[data-value="*4"]').waitFor();
  await page.locator(".play-rule, .choice").getByText("Misère").click();
  const known = grundyJson("value", "--misere", "kayles(5)");
  await heading(known.genus).waitFor();
  assert.deepEqual(await page.locator(".value-form msup mn").allTextContents(), ["4", "146"]);
  await page.getByText("Restless.").waitFor();
  await page.locator(".value-outcome").getByText("The next player wins").waitFor();
  assert.equal(await fact(page, "Canonical form").innerText(), known.form);
  assert.equal(await fact(page, "Mate").innerText(), known.mate);
  assert.equal(await fact(page, "Birthday").innerText(), "5");
  const copied = async (name, text) => {
    await page.getByRole("button", { name, exact: true }).click();
    await until(`${name} is copied`, async () => (await clipboard(page)) === text);
  };
  await copied("Canonical form", known.form);
  await copied("Command", 'grundy value --misere "kayles(5)"');
  await copied("Python", 'grundy.value("kayles(5)", play="misere")');

  // A game that distinguishes the two, and the outcomes of both sums with it.
  const other = page.getByRole("textbox", { name: "Second game" });
  await other.fill("nim(4)");
  await page.keyboard.press("Enter");
  await page.locator(".value-compared").getByText("The games are different").waitFor();
  assert.equal(await page.locator(".relation").innerText(), "≠");
  const { witness } = grundyJson("compare", "--misere", "kayles(5)", "nim(4)");
  const sums = page.locator(".witnessed li");
  assert.deepEqual(await sums.locator("code").allInnerTexts(), ["kayles(5)", "nim(4)"].map((game) => `${game} + ${witness}`));
  const outcomes = ["kayles(5)", "nim(4)"].map((game) => grundyJson("solve", "--misere", `${game} + ${witness}`).outcome);
  assert.deepEqual(outcomes.toSorted(), ["N", "P"]);
  await until("the outcomes are shown", async () => JSON.stringify(await sums.locator(".badge").allInnerTexts()) === JSON.stringify(outcomes));
  await other.fill(known.form);
  await page.keyboard.press("Enter");
  await page.locator(".value-compared").getByText("The games are equal: no game added to both distinguishes them.").waitFor();
  const link = await address(page);
  await page.reload();
  await page.locator(".value-compared").getByText("The games are equal").waitFor();
  assert.equal(await address(page), link);
  await other.fill("");

  // The genus with all its digits.
  await page.locator("#expression").fill("kayles(2)");
  await page.keyboard.press("Enter");
  await heading("2").waitFor();
  await page.getByText("Nim heap.").waitFor();
  await choose(page, "value-digits", "all");
  await heading(grundyJson("value", "--misere", "--full", "kayles(2)").genus).waitFor();
  assert.match(await address(page), /value\.full=yes/);
  await choose(page, "value-digits", "few");

  // A long form is collapsed, and one that is too long is reported.
  const long = grundyJson("value", "--misere", "grundys_game(25)");
  assert.ok(long.form.length > 160);
  await page.locator("#expression").fill("grundys_game(25)");
  await page.keyboard.press("Enter");
  await heading(long.genus).waitFor();
  assert.equal(await fact(page, "Canonical form").locator("code").isVisible(), false);
  await fact(page, "Canonical form").locator("summary").click();
  assert.equal(await fact(page, "Canonical form").locator("code").innerText(), long.form);
  assert.equal(grundyJson("value", "--misere", "kayles(15)").form, null);
  await page.locator("#expression").fill("kayles(15)");
  await page.keyboard.press("Enter");
  await heading("7^57").waitFor();
  await fact(page, "Canonical form").getByText("Too long to write out.").waitFor();

  // A partizan game has no genus. An example leads back, and its form is a valid game.
  await page.locator("#expression").fill("domineering(board(2, 2))");
  await page.keyboard.press("Enter");
  await page.locator(".trouble").getByText("misère values are defined for impartial games only").waitFor();
  assert.equal(await page.getByText("--misere").count(), 0, "the page names no option of the command line");
  await page.locator("#panel").getByRole("button", { name: "kayles(5)" }).click();
  await heading(known.genus).waitFor();
  await page.getByRole("button", { name: "Open form" }).click();
  await until("the form stands on the board", async () => (await expression(page)) === `literal("${known.form}")`);
  await heading(known.genus).waitFor();
  sound();
  await close();
});

// The answer of a server with a shorter time limit.
test("misère values omitted by a limit are not shown as known", { skip: NO_SERVER }, async () => {
  const { page, context, go, sound, close } = await session.reader();
  const stopped = { kind: "limit", message: "the computation needs more than 100 positions", at: null };
  await context.route(/\/api\/v1\/value$/, (route) => route.fulfill({ json: { game: "kayles(30)", play: "misere", outcome: "N", status: "partial", stopped } }));
  await go(state({ game: "kayles(30)", play: "misere", view: "value" }));
  await page.getByRole("heading", { name: "The genus is unknown." }).waitFor();
  await page.getByText("the computation needs more than 100 positions").first().waitFor();
  for (const name of ["Birthday", "Canonical form", "Mate"]) assert.equal(await page.locator("dt", { hasText: name }).count(), 0, name);
  assert.equal(await page.getByRole("button", { name: "Genus" }).count(), 0);
  sound();
  await close();
});

test("tables of genera and misère outcomes, whose cells open positions", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "kayles(5)", view: "table" }));
  await page.locator(".outcomes li").nth(40).waitFor();
  await choose(page, "table-of", "genus");
  const known = grundyJson("table", "--genus", "kayles(n)", "n=0..40");
  await page.locator(".outcomes .of-genus").nth(40).waitFor();
  assert.deepEqual(await typeset(page.locator(".outcomes")), known.genus);
  await page.getByText("The genus is defined in misère play").waitFor();
  const outcomes = grundyJson("table", "--misere", "--of", "outcome", "kayles(n)", "n=0..40").outcome;
  await until("the outcomes are those of misère play", async () => JSON.stringify(await page.locator(".outcomes .cell").allInnerTexts()) === JSON.stringify(outcomes));
  await page.getByRole("button", { name: "CSV", exact: true }).click();
  const printed = execFileSync(program, ["table", "--genus", "kayles(n)", "n=0..40", "--csv"], { encoding: "utf8" });
  await until("it is what the command prints", async () => (await clipboard(page)) === printed);
  await choose(page, "table-of", "full");
  const full = grundyJson("table", "--genus", "--full", "kayles(n)", "n=0..40");
  await until("all digits", async () => JSON.stringify(await typeset(page.locator(".outcomes"))) === JSON.stringify(full.genus));
  await page.getByRole("button", { name: "Command" }).click();
  await until("the command is copied", async () => (await clipboard(page)) === 'grundy table "kayles(n)" n=0..40 --genus --full');
  await page.getByText("Data table").click();
  await page.getByRole("columnheader", { name: "Genus" }).waitFor();
  await page.reload();
  await until("the link brings it back", async () => JSON.stringify(await typeset(page.locator(".outcomes"))) === JSON.stringify(full.genus));
  await page.getByRole("button", { name: /^n = 9: P, Genus 4\^046/ }).click();
  await verdict(page).getByText("The previous player wins").waitFor();
  // The link opens in misère play, where the analysis shows the genus.
  assert.match(await address(page), /play=misere/);
  await until("the genus is shown", async () => (await typeset(page.locator(".analysis .value"))).join() === "4^046");
  await go(state({ game: "kayles(5)", view: "table", "table.family": "kayles(a, b)", "table.ranges": "a=0..5,b=0..5", "table.of": "genus" }));
  const map = page.getByRole("application");
  await map.locator("rect").nth(30).waitFor();
  await map.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.locator(".heat-told").getByText("a = 0, b = 1: P, Genus 1").waitFor();
  sound();
  await close();
});

test("in normal play the analysis shows a Grundy value and no genus", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "kayles(5)", view: "analyse" }));
  await page.locator(".analysis .value").getByText("Grundy value").waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(await page.locator(".analysis").getByText("Genus").count(), 0);
  await page.locator(".play-rule, .choice").getByText("Misère").click();
  await page.locator(".analysis .value").getByText("Genus").waitFor();
  await until("the genus is shown", async () => (await typeset(page.locator(".analysis .value"))).join() === "4^146");
  sound();
  await close();
});

test("a quotient explanation has the elements, their product and few reasons", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "kayles(5, 9, 12)", play: "misere", view: "explain" }));
  const stages = page.locator(".stages > li");
  await stages.getByText("The product of c, d, e is b^2c, which is not a P-element").waitFor();
  await matches(stages.locator("p", { hasText: "the product becomes" }), 4);
  await stages.locator("svg").first().waitFor();
  await go(state({ game: "kayles(300, 1000000) + kayles(7)", play: "misere", view: "explain" }));
  await stages.getByText(/more moves lead to P-elements\./).waitFor({ timeout: 30000 });
  await matches(stages.locator("p", { hasText: "the product becomes" }), 20);
  sound();
  await close();
});

const FOUND = {
  kayles: quotient("kayles(n)"),
  list: quotient("[chomp(3, 2), kayles(7)]"),
  partial: quotient("dawsons_kayles(n)", { "quotient.max": "12" }),
};
const SEEN = {
  ...FOUND,
  wrong: quotient("nim(3)"),
  value: state({ game: "kayles(5)", play: "misere", view: "value", "value.with": "nim(4)", "value.full": "yes" }),
  long: state({ game: "grundys_game(25)", play: "misere", view: "value" }),
  partizan: state({ game: "domineering(board(2, 2))", play: "misere", view: "value" }),
  table: state({ game: "kayles(5)", view: "table", "table.family": "kayles(n)", "table.of": "full" }),
  map: state({ game: "kayles(5)", view: "table", "table.family": "kayles(a, b)", "table.of": "genus", "table.ranges": "a=0..9,b=0..9" }),
  analyse: state({ game: "kayles(5, 9)", play: "misere", view: "analyse" }),
  explain: state({ game: "kayles(5, 9, 12)", play: "misere", view: "explain" }),
};

async function ready(page, name) {
  if (name in FOUND) await page.locator(".pretending").waitFor({ timeout: 60000 });
  if (name === "wrong" || name === "partizan") await page.locator(".trouble").waitFor();
  if (name === "value") await page.locator(".witnessed li").nth(1).waitFor();
  if (name === "long") await page.locator(".misere-facts").waitFor();
  if (name === "table") await page.locator(".of-genus").first().waitFor();
  if (name === "analyse") await page.locator(".analysis .value").waitFor();
  if (name === "explain") await page.locator(".stages li").first().waitFor();
  await page.waitForLoadState("networkidle");
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in misère play, ${colorScheme}`, async () => {
    const { page, go, sound, close } = await session.reader({ colorScheme });
    for (const [name, hash] of Object.entries(SEEN)) {
      await go(hash);
      await ready(page, name);
      await page.locator("#panel details:not([open]) > summary").evaluateAll((all) => all.forEach((summary) => summary.click()));
      await page.waitForLoadState("networkidle");
      await accessible(page, name);
    }
    sound();
    await close();
  });
}

test("on a phone the misère views fit, and targets are large enough", async () => {
  const { page, go, sound, close } = await session.reader({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const [name, hash] of Object.entries(SEEN)) {
    await go(hash);
    await ready(page, name);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), `${name} is too wide`);
    const small = await page.locator("#panel button:visible, #panel input:visible, #panel summary:visible").evaluateAll((all) =>
      all.filter((one) => !one.matches(".link, [type=radio]") && one.getBoundingClientRect().height < 40).map((one) => one.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(small, [], name);
  }
  await page.goto("about:blank");
  await go(FOUND.kayles);
  await ready(page, "kayles");
  const table = page.getByRole("region", { name: "Elements Φ(n) of the heaps" });
  assert.ok(await table.evaluate((one) => one.scrollWidth > one.clientWidth), "it is scrolled, not squeezed");
  sound();
  await close();
});

test("the misère views are Chinese on the Chinese page", async () => {
  const { page, go, sound, close } = await session.reader({ locale: "zh-CN" });
  for (const [name, hash] of Object.entries(SEEN)) {
    await go(`${hash}&lang=zh`);
    await ready(page, name);
    const english = await page.evaluate(() => {
      const left = [];
      const walker = document.createTreeWalker(document.querySelector("#panel"), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.parentElement?.closest("code, svg, math, .stages")) continue;
        // The English name of a term may follow the Chinese one.
        const chinese = node.data.replaceAll("misère quotient", "");
        if (/[a-z]{2,} [a-z]{2,}/i.test(chinese)) left.push(node.data);
      }
      return left;
    });
    assert.deepEqual(english, [], name);
  }
  await go(`${FOUND.kayles}&lang=zh`);
  await page.getByRole("heading", { name: "kayles(n) 的反常商的阶为 40。" }).waitFor({ timeout: 60000 });
  for (const words of ["必败元素（9 个）", "生成元", "关系", "幂等元", "核"]) await page.locator("#panel dt").getByText(words, { exact: true }).waitFor();
  await go(`${SEEN.value}&lang=zh`);
  await page.locator("#panel").getByText("不安（restless）。").waitFor();
  await page.locator("#panel").getByText("二者不同").waitFor();
  sound();
  await close();
});
