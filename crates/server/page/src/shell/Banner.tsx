// Where the server does not answer, this says so, and that it is asked again.
import { usePage } from "../state/page.ts";

export function Banner({ offline }: { offline: boolean }) {
  const { say } = usePage();
  return (
    <div class="banner-place" role="alert">
      {offline && <p class="banner">{say("offline")}</p>}
    </div>
  );
}
