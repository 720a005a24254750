// The family shown by a view: the one chosen for this position, else one derived from the position.
import { useEffect } from "preact/hooks";
import { usePage } from "../state/page.ts";
import { familyOf } from "./family.ts";

/** The position for which the family of each view was chosen; for others it does not apply. */
const chosenFor = new Map<string, string>();

interface FamilyState {
  family: string;
  /** Reads and stores keys of the view for this family, prefixed with the name of the view. */
  readKey(key: string): string | undefined;
  storeKeys(keys: Record<string, string>): void;
  /** Called when a member of the family becomes the position. */
  onOpen(member: string): void;
}

export function useFamily(view: "table" | "period" | "quotient", most: number): FamilyState {
  const { state, change } = usePage();
  const stored = state.more[`${view}.family`];
  const chosenPosition = chosenFor.get(view);
  const applies = stored !== undefined && stored !== "" && (chosenPosition === undefined || chosenPosition === state.game);
  const family = applies ? stored : (familyOf(state.game, most) ?? "kayles(n)");
  useEffect(() => {
    if (applies) chosenFor.set(view, state.game);
    else if (stored !== undefined && stored !== "") {
      chosenFor.delete(view);
      change((now) => ({ ...now, more: Object.fromEntries(Object.entries(now.more).filter(([key]) => !key.startsWith(`${view}.`))) }));
    }
  }, [applies, stored, state.game]);
  return {
    family,
    readKey: (key) => (applies ? state.more[`${view}.${key}`] : undefined),
    storeKeys(keys) {
      chosenFor.set(view, state.game);
      const entries = Object.entries({ family, ...keys }).map(([key, value]) => [`${view}.${key}`, value] as const);
      change((now) => ({ ...now, more: { ...now.more, ...Object.fromEntries(entries) } }));
    },
    onOpen: (member) => void (applies && chosenFor.set(view, member)),
  };
}
