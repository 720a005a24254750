// Light or dark, as the reader or the system wants it.
import { useEffect, useState } from "preact/hooks";
import type { Theme } from "../state/state.ts";

/** Says it on an element, too, which the colours inside follow. */
export function useDark(theme: Theme, on: HTMLElement = document.documentElement): boolean {
  const query = "(prefers-color-scheme: dark)";
  const [system, setSystem] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setSystem(list.matches);
    list.addEventListener("change", follow);
    return () => list.removeEventListener("change", follow);
  }, []);
  const dark = theme === "system" ? system : theme === "dark";
  useEffect(() => {
    on.dataset.theme = dark ? "dark" : "light";
  }, [dark, on]);
  return dark;
}
