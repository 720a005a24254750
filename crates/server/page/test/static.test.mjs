// Tests of the page without a server: its files, content security policy, workers, offline use, and
// local files.
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { board, moves, open, state, until, verdict } from "./browser.mjs";
import { host, serveFolder } from "./folder.mjs";

const folder = process.env.PAGE;
if (!folder) throw new Error("PAGE is the folder that ./page.sh has built");

let session;
before(async () => (session = await open()));
after(() => session?.close());

const ENDLESS = "def moves(n):\n    for i in range(1000000000):\n        for j in range(1000000000):\n            pass\n    return []\n";
const HUGE = "cram(board(14, 14))";

/** Enters an expression without reloading the page. */
async function solve(page, game) {
  await page.locator("#expression").fill(game);
  await page.keyboard.press("Enter");
}

const shown = (page) => page.locator(".analysis").innerText();

test("the folder has exactly these files and no external references", async () => {
  const names = (await readdir(folder)).sort();
  assert.deepEqual(names, ["app.css", "app.js", "from-disk.js", "grundy-board.js", "grundy.wasm", "icon.svg", "index.html", "offline.js", "worker.js"]);
  const page = await readFile(join(folder, "index.html"), "utf8");
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "";
  const rules = Object.fromEntries(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1).join(" ")]));
  assert.equal(rules["default-src"], "'none'");
  assert.equal(rules["script-src"], "'self' 'wasm-unsafe-eval'");
  assert.equal(rules["style-src"], "'self'");
  assert.equal(rules["connect-src"], "'self'");
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval'.*unsafe-eval|https?:|\*/);
  assert.doesNotMatch(page, /(src|href)="(https?:)?\/\//);
});

test("the page requests only its own files, and the policy is enforced", async (t) => {
  const host = await serveFolder(folder);
  const { page, sound, close } = await session.reader({ serviceWorkers: "block" });
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const begun = performance.now();
  await page.goto(`${host.address}#nim(3,4,5)`);
  await verdict(page).getByText("The next player wins").waitFor();
  t.diagnostic(`the first answer of a cold load: ${Math.round(performance.now() - begun)} ms`);
  assert.deepEqual(asked.filter((url) => !url.startsWith(host.address)), []);
  assert.equal(asked.filter((url) => url.endsWith(".wasm")).length, 1);
  assert.equal(asked.some((url) => url.includes("from-disk") || url.includes("grundy-board")), false);
  sound();
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.head.append(script);
    return globalThis.ran === true;
  });
  assert.equal(ran, false);
  await close();
  await host.stop();
});

test("an endless rule is one error and does not affect later answers", async () => {
  const { page, go, sound, close } = await session.reader();
  await go("#nim(3,4,5)");
  await verdict(page).waitFor();
  await until("all of it is there", async () => /Moves left/.test(await shown(page)));
  const before = await shown(page);
  await go(state({ game: "game(moves, 5)", rules: ENDLESS }));
  await page.locator(".trouble, .note").first().waitFor({ timeout: 30000 });
  await solve(page, "nim(3, 4, 5)");
  await verdict(page).getByText("The next player wins").waitFor({ timeout: 30000 });
  await go("#nim(3,4,5)");
  await verdict(page).waitFor();
  await until("the earlier answer is shown again", async () => (await shown(page)) === before);
  // The rules of one request are not visible to the next.
  await solve(page, "game(moves, 5)");
  await page.locator(".trouble").first().waitFor();
  sound();
  await close();
});

test("a board that is too large to analyse stays playable", async () => {
  const { page, go, sound, close } = await session.reader();
  await go(state({ game: HUGE }));
  await moves(page).first().waitFor({ timeout: 20000 });
  // A move does not wait for the analysis.
  await moves(page).first().click();
  await until("the move is made", async () => (await page.locator("#board .history > ol").last().locator("li").count()) === 1, 20000);
  await solve(page, "kayles(9)");
  await verdict(page).getByText("The next player wins").waitFor();
  assert.match(await shown(page), /equal to a Nim heap of size 4/);
  sound();
  await close();
});

test("cancelling ends a worker, and closing a tab does not affect others", async () => {
  const { page, context, go, sound, close } = await session.reader();
  const work = state({ game: "kayles(9)", view: "period", "period.family": "take_and_break('0.106', n)", "period.max": "900000000" });
  const begin = async (page) => {
    await page.getByRole("button", { name: "Find period" }).click();
    await until("it goes on", async () => Number(await page.locator("progress").getAttribute("value")) > 0, 20000);
  };
  await go(work);
  await page.getByRole("button", { name: "Find period" }).waitFor();
  const other = await context.newPage();
  await other.goto(session.server.address + work);
  await begin(other);
  await begin(page);
  const workers = page.workers().length;
  // The board has its own worker.
  await page.getByRole("tab", { name: "Analyse" }).click();
  await verdict(page).waitFor();
  await other.close();
  await page.getByRole("tab", { name: "Period" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator(".period-view").getByText("Cancelled.").waitFor();
  await page.getByRole("tab", { name: "Analyse" }).click();
  await until("its worker has ended", () => page.workers().length < workers + 1);
  await page.getByRole("tab", { name: "Period" }).click();
  await page.getByLabel("Family").fill("kayles(n)");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Find period" }).click();
  await page.getByRole("heading", { name: "From n = 71 onwards the values have period 12." }).waitFor();
  sound();
  await close();
});

test("the loaded page opens offline", async () => {
  const host = await serveFolder(folder);
  const { page, sound, close } = await session.reader();
  await page.goto(`${host.address}#nim(3,4,5)`);
  await verdict(page).waitFor();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await until("the files are kept", () => page.evaluate(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).length)))[0] === 7));
  await host.stop();
  await page.goto("about:blank");
  await page.goto(`${host.address}#kayles(9)`);
  await verdict(page).getByText("The next player wins").waitFor();
  assert.match(await shown(page), /equal to a Nim heap of size 4/);
  await page.getByRole("tab", { name: "Explain" }).click();
  await page.locator(".stages li").first().waitFor();
  sound();
  await close();
});

test("a missing engine is reported and loaded again once available", async () => {
  const { page, context, go, close } = await session.reader({ serviceWorkers: "block" });
  await context.route(/grundy\.wasm$/, (route) => route.fulfill({ status: 404 }));
  await go("#nim(3,4,5)");
  await page.getByRole("alert").getByText("The engine could not be loaded").waitFor();
  await context.unroute(/grundy\.wasm$/);
  await verdict(page).getByText("The next player wins").waitFor();
  await until("all is well again", async () => (await page.getByText("The engine could not be loaded").count()) === 0);
  await close();
});

test("an invalid engine is reported and not requested again", async () => {
  const { page, context, go, close } = await session.reader({ serviceWorkers: "block" });
  let asked = 0;
  await context.route(/grundy\.wasm$/, (route) => {
    asked += 1;
    return route.fulfill({ status: 200, contentType: "application/wasm", body: "no engine" });
  });
  await go("#nim(3,4,5)");
  await page.getByText("The engine cannot run here").first().waitFor();
  const before = asked;
  await page.waitForTimeout(2500);
  assert.equal(asked, before);
  await close();
});

test("the page works if the host sends a wrong type for .wasm", async () => {
  const { page, context, go, sound, close } = await session.reader({ serviceWorkers: "block" });
  const body = await readFile(join(folder, "grundy.wasm"));
  await context.route(/grundy\.wasm$/, (route) => route.fulfill({ status: 200, contentType: "application/octet-stream", body }));
  await go("#nim(3,4,5)");
  await verdict(page).getByText("The next player wins").waitFor();
  sound();
  await close();
});

test("the page opens from disk", async () => {
  const { page, sound, close } = await session.reader();
  await page.goto(`${pathToFileURL(join(folder, "index.html"))}#nim(3,4,5)`);
  await verdict(page).getByText("The next player wins").waitFor({ timeout: 20000 });
  await page.locator('#board g.move[data-at="0,1"]').click();
  await verdict(page).getByText("The previous player wins").waitFor();
  await board(page).locator(".history li").first().waitFor();
  sound();
  await close();
});

test("a new version is activated when no page of the old one is open", async () => {
  const place = await mkdtemp(join(tmpdir(), "grundy-page-"));
  for (const name of await readdir(folder)) if (name !== "offline.js") await symlink(join(folder, name), join(place, name));
  const offline = await readFile(join(folder, "offline.js"), "utf8");
  const version = /"([0-9a-f]{16})"/.exec(offline)?.[1];
  assert.ok(version);
  // The same host serves another page.
  const own = await host({ "/page/": place, "/elsewhere/": folder });
  await writeFile(join(place, "offline.js"), offline.replaceAll(version, "0000000000000000"));
  const { page, context, close } = await session.reader();
  await page.goto(`${own.origin}/page/`);
  await verdict(page).waitFor();
  const cacheNames = (page) => page.evaluate(() => caches.keys());
  await until("the old one is kept", async () => (await cacheNames(page)).some((name) => name.endsWith("0000000000000000")));
  await writeFile(join(place, "offline.js"), offline);
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  await until("the new one waits", async () => (await cacheNames(page)).length === 2);
  await page.close();
  const again = await context.newPage();
  await again.goto(`${own.origin}/elsewhere/icon.svg`);
  await until("the new one alone is left", async () => (await cacheNames(again)).every((name) => name.endsWith(version)));
  await close();
  await own.stop();
  await rm(place, { recursive: true });
});
