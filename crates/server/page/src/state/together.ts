// Batching of updates: answers that arrive between two frames are rendered together, in one pass.

/** The maximum delay in milliseconds if no frame is drawn, as in a hidden tab. */
const UNSEEN = 100;

/** The number of requests without an answer. */
let open = 0;
let waiting: (() => void)[] = [];
let picture = 0;
let late: ReturnType<typeof setTimeout> | undefined;

function showAll(): void {
  cancelAnimationFrame(picture);
  clearTimeout(late);
  const all = waiting;
  waiting = [];
  for (const show of all) show();
}

/**
 * Registers a pending request. The returned function must be called once, when the request ends or
 * is dropped.
 */
export function expecting(): () => void {
  open += 1;
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    open -= 1;
    if (open === 0 && waiting.length > 0) showAll();
  };
}

/**
 * Runs an update with all others that arrive before the next frame; at once if no request is
 * pending.
 */
export function together(show: () => void): void {
  waiting.push(show);
  if (waiting.length > 1) return;
  picture = requestAnimationFrame(showAll);
  late = setTimeout(showAll, UNSEEN);
}
