// A queue that starts tasks in order and limits the number of tasks that run at the same time.

export interface TaskQueue {
  /** Adds a task; the returned function removes it if it has not started. */
  add(work: () => Promise<void>): () => void;
}

export function taskQueue(most: number): TaskQueue {
  const waiting = new Set<() => Promise<void>>();
  let running = 0;
  const next = () => {
    while (running < most) {
      const [work] = waiting;
      if (!work) return;
      waiting.delete(work);
      running += 1;
      void work().finally(() => {
        running -= 1;
        next();
      });
    }
  };
  return {
    add(work) {
      waiting.add(work);
      next();
      return () => waiting.delete(work);
    },
  };
}
