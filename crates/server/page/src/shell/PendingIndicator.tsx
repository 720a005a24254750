// An indicator of a computation, shown after a short delay.
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../state/page.ts";

const DELAY = 300;

export function PendingIndicator({ pending }: { pending: boolean }) {
  const { say } = usePage();
  const [long, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!pending) return;
    const timer = setTimeout(() => setLong(true), DELAY);
    return () => clearTimeout(timer);
  }, [pending]);
  return <span class={`slow${pending && long ? " long" : ""}`}>{pending && long ? say("computing") : ""}</span>;
}
