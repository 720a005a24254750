// The light or dark theme, chosen by the reader or the system.
import { useEffect, useState } from "preact/hooks";
import type { Theme } from "../state/state.ts";

/**
 * Returns whether the theme is dark, and sets an attribute of an element, which the style sheet
 * uses.
 */
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
