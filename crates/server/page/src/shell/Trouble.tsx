// An error with its suggestion.
import type { Trouble as What } from "../engine/answers.ts";
import { Ticked } from "./Ticked.tsx";
import { usePage } from "../state/page.ts";

export function Trouble({ trouble }: { trouble: What }) {
  const { engine, say } = usePage();
  if (trouble.kind === "offline") return <p class="note">{say(engine.words.offline_here)}</p>;
  if (trouble.kind === "limit") {
    return (
      <div>
        <p>{say("limit_reached")}</p>
        {trouble.message !== "" && <p class="note">{trouble.message}</p>}
      </div>
    );
  }
  return (
    <div class="trouble">
      <p>
        <Ticked text={trouble.message} />
      </p>
      {trouble.help && (
        <p class="note">
          <Ticked text={trouble.help} />
        </p>
      )}
    </div>
  );
}
