// A queue that runs a few tasks at a time, in order.

export interface Few {
  /** Queues a task; the returned function withdraws it. */
  add(work: () => Promise<void>): () => void;
}

export function few(most: number): Few {
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
