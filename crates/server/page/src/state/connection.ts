// Polls an unreachable engine until it responds.
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Engine } from "../engine/engine.ts";

const RETRY_INTERVAL = 1000;

export interface Connection {
  offline: boolean;
  /** The number of reconnections. */
  connection: number;
  reportOffline(): void;
}

export function useConnection(engine: Engine): Connection {
  const [connection, setConnection] = useState(0);
  const [offline, setOffline] = useState(false);
  const reportOffline = useCallback(() => setOffline(true), []);
  useEffect(() => {
    if (!offline) return;
    const stop = new AbortController();
    const timer = setInterval(async () => {
      if ((await engine.alive(stop.signal)) && !stop.signal.aborted) {
        setOffline(false);
        setConnection((count) => count + 1);
      }
    }, RETRY_INTERVAL);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [offline, engine]);
  return { offline, connection, reportOffline };
}
