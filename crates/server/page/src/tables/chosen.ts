// The family that a view shows: the one that was chosen for this position, else one that the position belongs to.
import { useEffect } from "preact/hooks";
import { usePage } from "../state/page.ts";
import { familyOf } from "./family.ts";

/** For which position each view's family was chosen: another position has another family. */
const chosenFor = new Map<string, string>();

interface Chosen {
  family: string;
  /** What the view keeps for this family, under keys after its own name. */
  kept(key: string): string | undefined;
  keep(keys: Record<string, string>): void;
  /** To be told when a member of the family becomes the position. */
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
