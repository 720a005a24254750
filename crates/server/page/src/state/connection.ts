// Where nobody answers, the engine is asked again until somebody does.
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Engine } from "../engine/engine.ts";

const AGAIN = 1000;

export interface Connection {
  offline: boolean;
  /** Counts how often the engine came back. */
  connection: number;
  lost(): void;
}

export function useConnection(engine: Engine): Connection {
  const [connection, setConnection] = useState(0);
  const [offline, setOffline] = useState(false);
  const lost = useCallback(() => setOffline(true), []);
  useEffect(() => {
    if (!offline) return;
    const stop = new AbortController();
    const timer = setInterval(async () => {
      if ((await engine.alive(stop.signal)) && !stop.signal.aborted) {
        setOffline(false);
        setConnection((count) => count + 1);
      }
    }, AGAIN);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [offline, engine]);
  return { offline, connection, lost };
}
