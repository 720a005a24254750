// Measures the time from a click on a move until its analysis, marks and text are painted.
//
//     GRUNDY=target/release/grundy npm run bench [ROUNDS] [HELD]
//
// HELD is the time in milliseconds for which the mouse button is held down. The page prefetches
// while it is pressed, and the time counts from its release. People take 60 to 120 ms.
//
// Every visit has a new browser profile with empty caches, and its first click follows as soon as
// the page has its answer. The output has a line of times for each move. `board` and `analysis` are
// the arrivals of these answers, `told` is the update of the page, and `painted` its first frame.
// The last line has the median and the maximum.
import { board, open, state, verdict } from "../test/browser.mjs";

/** The visits: a position, and the places on the board that are clicked. */
const NIM = ["0,2", "1,0"];
const VISITS = [
  ...Array.from({ length: 7 }, () => ({ name: "nim", keys: { game: "nim(3, 4, 5)" }, at: NIM })),
  { name: "sum", keys: { game: "nim(3, 4, 5) + kayles(7)" } },
  { name: "kayles", keys: { game: "kayles(20)" } },
  { name: "chomp", keys: { game: "chomp(4, 4, 4)" } },
  { name: "cram", keys: { game: "cram(board(4, 4))" } },
  { name: "domineering", keys: { game: "domineering(board(3, 4))" } },
  { name: "hackenbush", keys: { game: 'hackenbush("0-1 1-2:b 1-3:r 0-4:b 4-5:r")' } },
  { name: "toads", keys: { game: 'toads_and_frogs("TTT..FFF")' } },
  { name: "wythoff", keys: { game: "wythoff(8, 13)" } },
  { name: "rook", keys: { game: "rook(7, 5)" } },
  { name: "noughts", keys: { game: "tic_tac_toe()" } },
  { name: "northcott", keys: { game: "northcott(8, [[1, 5], [2, 7], [0, 4]])" } },
  { name: "col", keys: { game: 'col("0-1 1-2 2-3 3-4", "..L..")' } },
  { name: "misere", keys: { game: "kayles(5, 9, 12)", play: "misere" } },
];

/** Runs in the page and records the times of clicks, requests, updates and paints. */
function watch() {
  const log = { click: 0, gone: false, asked: [], told: 0, painted: 0 };
  window.__log = log;
  const { fetch } = window;
  window.fetch = async (...of) => {
    const one = { what: String(of[0]).replace("api/v1/", ""), from: performance.now(), to: 0, body: String(of[1]?.body ?? "") };
    log.asked.push(one);
    const response = await fetch(...of);
    const text = response.text.bind(response);
    response.text = async () => {
      const read = await text();
      one.to = performance.now();
      return read;
    };
    return response;
  };
  addEventListener("click", (event) => Object.assign(log, { click: event.timeStamp, gone: false, told: 0, painted: 0 }), true);
  addEventListener("pointerdown", () => (log.asked = []), true);
  new MutationObserver(() => {
    if (log.click === 0 || log.told > 0) return;
    const there = document.querySelector(".verdict h2") !== null && document.querySelector("#board .marks") !== null;
    if (!there) log.gone = true;
    if (!log.gone || !there) return;
    log.told = performance.now();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (log.painted = performance.now());
      port2.postMessage(null);
    });
  }).observe(document, { subtree: true, childList: true });
}

const session = await open();
process.on("uncaughtException", async (error) => {
  console.error(error);
  await session.close();
  process.exit(1);
});
const rounded = (value) => String(Math.round(value)).padStart(5);
const all = new Map();
console.log("move            board analysis  told painted");
const [ROUNDS, HELD] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 0)];
for (let round = 0; round < ROUNDS; round += 1) {
  for (const { name, keys, at = [null] } of VISITS) {
    const { context, page, go, close } = await session.reader();
    await context.addInitScript(watch);
    await go(state(keys));
    await verdict(page).waitFor();
    for (const place of at) {
      const move = place === null ? board(page).locator(".touch g.move[role=button]").last() : board(page).locator(`.touch g.move[data-at="${place}"]`);
      const box = await move.locator("rect, circle, path, ellipse, polygon").first().boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      if (HELD > 0) await page.waitForTimeout(HELD);
      await page.mouse.up();
      await page.waitForFunction(() => window.__log.painted > 0);
      const { click, asked, told, painted } = await page.evaluate(() => window.__log);
      const of = (what) => (asked.find((one) => one.what === what)?.to ?? Number.NaN) - click;
      all.set(name, [...(all.get(name) ?? []), painted - click]);
      console.log(`${name.padEnd(14)}  ${rounded(of("board"))}    ${rounded(of("analyse"))} ${rounded(told - click)}   ${rounded(painted - click)}`);
      if (process.env.ASKED) for (const { what, from, to, body } of asked) console.log(`    ${what} ${rounded(from - click)} ${rounded(to - click)} ${body}`);
    }
    await close();
  }
}
await session.close();
const figures = (times) => {
  const sorted = [...times].sort((one, other) => one - other);
  return `${times.length} moves, ${rounded(sorted[0])} to ${rounded(sorted.at(-1))} ms, ${rounded(sorted[sorted.length >> 1])} in the middle, ${sorted.filter((time) => time > 100).length} above 100`;
};
console.log(`nim: ${figures(all.get("nim"))}`);
console.log(`the others: ${figures([...all].flatMap(([name, times]) => (name === "nim" ? [] : times)))}`);
