// A message that the engine is not reachable and that the page retries.
import { usePage } from "../state/page.ts";

export function Banner({ offline }: { offline: boolean }) {
  const { engine, say } = usePage();
  return (
    <div class="banner-place" role="alert">
      {offline && <p class="banner">{say(engine.words.offline)}</p>}
    </div>
  );
}
