// Tests of tablebases in the page: their descriptions, and playing from them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible } from "./accessibility.mjs";
import { address, board, moves, open, state, until, verdict } from "./browser.mjs";
import { program } from "./server.mjs";


let folder;
let session;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "grundy-tables-"));
  const label = (name, ...rest) => execFileSync(program, ["label", ...rest, "--tablebase", join(folder, name)]);
  label("chomp", "chomp(12, 12, 12, 12, 12, 12, 12, 12)", "--ranked");
  label("bar", "chomp(4, 4, 4)");
  label("domineering", "domineering(board(3, 3))");
  const rules = join(folder, "squares.star");
  writeFileSync(rules, "def moves(n):\n    return [n - k * k for k in range(1, n + 1) if k * k <= n]\n");
  label("squares", "game(moves, 50)", "--rules", rules);
  label("misere", "nim(3, 3, 3)", "--misere");
  const edges = join(folder, "ways.csv");
  writeFileSync(edges, "from,to\na,b\nb,a\nb,c\n");
  label("ways", edges);
  session = await open(["--tables", folder]);
});
after(async () => {
  await session?.close();
  rmSync(folder, { recursive: true });
});

test("the cards list the tables, and one is played from", async () => {
  const { page, go, sound, close } = await session.reader();
  await go();
  await verdict(page).waitFor();
  await page.getByRole("tab", { name: "Tables" }).click();
  await page.locator(".tablebases .card").nth(5).waitFor();
  assert.deepEqual(await page.locator(".tablebases .card strong").allInnerTexts(), ["bar", "chomp", "domineering", "misere", "squares", "ways"]);
  await page.locator(".tablebases .card").nth(1).click();
  await page.getByRole("heading", { name: "chomp" }).waitFor();
  await page.locator(".tablebase .facts").getByText("125,969").waitFor();
  await page.locator(".tablebase svg").first().waitFor();
  await page.getByRole("button", { name: "Analyse from the start" }).click();
  await verdict(page).getByText("The next player wins").waitFor();
  await page.getByText("From the tablebase chomp").waitFor();
  assert.match(await address(page), /table=chomp/);
  assert.equal(await page.locator(".facts .method").innerText(), "tablebase");
  await until("every move is marked", async () => (await page.locator(".moves .badge").count()) >= 40);
  // A tablebase knows the outcome but not the reason, and the hint has its own text for that.
  await page.getByRole("button", { name: "Hint" }).click();
  await page.getByRole("button", { name: /hint|more|move/i }).first().waitFor();
  // A link restores everything.
  const link = await address(page);
  await page.goto("about:blank");
  await page.goto(link);
  await page.getByText("From the tablebase chomp").waitFor();
  await page.getByRole("button", { name: "Solve it instead" }).click();
  await until("it is solved", async () => !/table=/.test(await address(page)));
  sound();
  await close();
});

test("the program plays from the table and never gives away a win", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: "chomp(4, 4, 4)", table: "bar", view: "play", you: "second" }));
  const made = async () => {
    const found = /moves=([^&]*)/.exec(decodeURIComponent(await address(page)));
    return found ? found[1].split(";").length : 0;
  };
  const over = () => page.locator(".playing strong").getByText("wins.").count();
  for (let turns = 1; ; turns += 2) {
    await until("the program has moved", async () => (await made()) === turns);
    // Buttons of moves may remain for a moment after the end, so a failed click is retried.
    const pressed = () => moves(page).last().click({ timeout: 1000 }).then(() => true, () => false);
    const turned = async () => (await over()) > 0 || (await pressed());
    await until("the game is over or a move is pressed", turned);
    if (await over()) break;
  }
  await page.locator(".playing strong").getByText("The program wins.").waitFor();
  sound();
  await close();
});

test("tables of partizan games, rule files, misère play and graphs", async () => {
  const { page, go, sound, close } = await session.reader();
  await go("#game=nim(1)&view=tables&card=domineering");
  await page.getByRole("button", { name: "Analyse from the start" }).click();
  await verdict(page).waitFor();
  await page.getByText("From the tablebase domineering").waitFor();
  await go("#game=nim(1)&view=tables&card=squares");
  await page.getByRole("button", { name: "Analyse from the start" }).click();
  await page.getByText("From the tablebase squares").waitFor();
  await verdict(page).waitFor();
  assert.match(await address(page), /rules=/);
  await go("#game=nim(1)&view=tables&card=misere");
  await page.getByRole("button", { name: "Analyse from the start" }).click();
  await page.getByText("From the tablebase misere").waitFor();
  assert.match(await address(page), /play=misere/);
  await go("#game=nim(1)&view=tables&card=ways");
  await page.getByText("there are no rules to play by").waitFor();
  await go("#game=nim(1)&view=tables&card=nothing");
  await page.getByText("no such tablebase").waitFor();
  sound();
  await close();
});

test("axe finds nothing in the cards", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, go, close } = await session.reader({ colorScheme });
    for (const card of ["", "&card=chomp"]) {
      await go(`#game=nim(1)&view=tables${card}`);
      await page.locator(card === "" ? ".tablebases .card" : ".tablebase .facts").first().waitFor();
      await accessible(page, card || "list");
    }
    await close();
  }
});
