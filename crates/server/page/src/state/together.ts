// What arrives between two pictures on the screen is shown in one: the page is made anew once for all of it.

/** How long it may wait where no picture is drawn, as in a tab that is not seen. */
const UNSEEN = 100;

/** Questions whose answers are still to come. */
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

/** A question is asked; to be called once when its answer is there or nobody waits for it any more. */
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

/** Shows something with whatever else arrives before the next picture, and at once when nothing else is to come. */
export function together(show: () => void): void {
  waiting.push(show);
  if (waiting.length > 1) return;
  picture = requestAnimationFrame(showAll);
  late = setTimeout(showAll, UNSEEN);
}
