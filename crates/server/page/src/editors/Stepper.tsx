// A number field with a button on either side.
import { usePage } from "../state/page.ts";

interface Props {
  label: string;
  value: number;
  least?: number;
  most?: number;
  change(value: number): void;
}

export function Stepper({ label, value, least = 0, most = 1e9, change }: Props) {
  const { say } = usePage();
  const to = (next: number) => Number.isFinite(next) && change(Math.max(least, Math.min(most, Math.round(next))));
  return (
    <div class="stepper" role="group" aria-label={label}>
      <button type="button" class="icon" disabled={value <= least} onClick={() => to(value - 1)} aria-label={`${label}: ${say("less")}`}>
        <span aria-hidden="true">−</span>
      </button>
      <input
        class={value > 99_999 ? "longer" : value > 999 ? "long" : ""}
        inputMode="numeric"
        aria-label={label}
        value={String(value)}
        onInput={(event) => {
          const written = event.currentTarget.value.trim();
          if (/^\d{1,15}$/.test(written)) to(Number(written));
        }}
        onKeyDown={(event) => {
          if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
          event.preventDefault();
          to(value + (event.key === "ArrowUp" ? 1 : -1));
        }}
        onBlur={(event) => (event.currentTarget.value = String(value))}
      />
      <button type="button" class="icon" disabled={value >= most} onClick={() => to(value + 1)} aria-label={`${label}: ${say("more")}`}>
        <span aria-hidden="true">+</span>
      </button>
    </div>
  );
}
