// Polls an unreachable engine until it responds.
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Engine } from "../engine/engine.ts";

const AGAIN = 1000;

export interface Connection {
  offline: boolean;
  /** The number of reconnections. */
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
