// The family shown by a view: the one chosen for this position, else one derived from the position.
import { useEffect } from "preact/hooks";
import { usePage } from "../state/page.ts";
import { familyOf } from "./family.ts";

/**
 * The position for which the family of each view was chosen. It does not apply to another position.
 */
const chosenFor = new Map<string, string>();

interface Chosen {
  family: string;
  /** Reads and stores keys of the view for this family, prefixed with the name of the view. */
  kept(key: string): string | undefined;
  keep(keys: Record<string, string>): void;
  /** Called when a member of the family becomes the position. */
  opened(member: string): void;
}

export function useFamily(view: "table" | "period" | "quotient", most: number): Chosen {
  const { state, change } = usePage();
  const stored = state.more[`${view}.family`];
  const known = chosenFor.get(view);
  const holds = stored !== undefined && stored !== "" && (known === undefined || known === state.game);
  const family = holds ? stored : (familyOf(state.game, most) ?? "kayles(n)");
  useEffect(() => {
    if (holds) chosenFor.set(view, state.game);
    else if (stored !== undefined && stored !== "") {
      chosenFor.delete(view);
      change((now) => ({ ...now, more: Object.fromEntries(Object.entries(now.more).filter(([key]) => !key.startsWith(`${view}.`))) }));
    }
  }, [holds, stored, state.game]);
  return {
    family,
    kept: (key) => (holds ? state.more[`${view}.${key}`] : undefined),
    keep(keys) {
      chosenFor.set(view, state.game);
      const named = Object.entries({ family, ...keys }).map(([key, value]) => [`${view}.${key}`, value] as const);
      change((now) => ({ ...now, more: { ...now.more, ...Object.fromEntries(named) } }));
    },
    opened: (member) => void (holds && chosenFor.set(view, member)),
  };
}
