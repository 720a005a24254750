// Batching of updates: answers that arrive between two frames are rendered together, in one pass.

/** The maximum delay in milliseconds if no frame is drawn, as in a hidden tab. */
const MAX_DELAY = 100;

/** The number of requests without an answer. */
let pendingCount = 0;
let updates: (() => void)[] = [];
let frame = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function runUpdates(): void {
  cancelAnimationFrame(frame);
  clearTimeout(timer);
  const all = updates;
  updates = [];
  for (const update of all) update();
}

/**
 * Registers a pending request. The returned function must be called once, when the request ends or
 * is dropped.
 */
export function requestStarted(): () => void {
  pendingCount += 1;
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    pendingCount -= 1;
    if (pendingCount === 0 && updates.length > 0) runUpdates();
  };
}

/**
 * Runs an update together with all others that arrive before the next frame. They run earlier if no
 * more requests are pending.
 */
export function batched(update: () => void): void {
  updates.push(update);
  if (updates.length > 1) return;
  frame = requestAnimationFrame(runUpdates);
  timer = setTimeout(runUpdates, MAX_DELAY);
}
