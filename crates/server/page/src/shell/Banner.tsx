// Where nobody answers, this says so, and that it is asked again.
import { usePage } from "../state/page.ts";

export function Banner({ offline }: { offline: boolean }) {
  const { engine, say } = usePage();
  return (
    <div class="banner-place" role="alert">
      {offline && <p class="banner">{say(engine.words.offline)}</p>}
    </div>
  );
}
