// An error with its suggestion.
import type { Trouble as TroubleData } from "../engine/answers.ts";
import { NotationText } from "./NotationText.tsx";
import { usePage } from "../state/page.ts";

export function Trouble({ trouble }: { trouble: TroubleData }) {
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
        <NotationText text={trouble.message} />
      </p>
      {trouble.help && (
        <p class="note">
          <NotationText text={trouble.help} />
        </p>
      )}
    </div>
  );
}
