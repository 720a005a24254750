// The tabs of the views.
import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../state/page.ts";
import { VIEWS, type View, viewNamed } from "../views/views.ts";

export function Tabs() {
  const { state, change, engine, say } = usePage();
  const current = viewNamed(state.view);
  const tabs = VIEWS.filter((view) => view.word !== undefined && (engine.tables || !view.needsTables));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = document.getElementById(`tab-${current.id}`);
    const bar = list.current;
    if (tab && bar) bar.scrollLeft = tab.offsetLeft - bar.offsetLeft - (bar.clientWidth - tab.clientWidth) / 2;
  }, [current.id]);
  const go = (view: View, focus: boolean) => {
    change((now) => ({ ...now, view: view.id, step: 0 }));
    if (focus) document.getElementById(`tab-${view.id}`)?.focus();
  };
  const key = (event: KeyboardEvent) => {
    const index = tabs.indexOf(current);
    const to =
      event.key === "ArrowRight" ? tabs[(index + 1) % tabs.length]
      : event.key === "ArrowLeft" ? tabs[(index + tabs.length - 1) % tabs.length]
      : event.key === "Home" ? tabs[0]
      : event.key === "End" ? tabs.at(-1)
      : undefined;
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    go(to, true);
  };
  return (
    <nav class="tabs" aria-label={say("views")}>
      <div role="tablist" aria-label={say("views")} ref={list} onKeyDown={key}>
        {tabs.map((view) => (
          <button
            key={view.id}
            id={`tab-${view.id}`}
            type="button"
            role="tab"
            aria-selected={view === current}
            aria-controls="panel"
            tabIndex={view === current ? 0 : -1}
            onClick={() => go(view, false)}
          >
            {view.word && say(view.word)}
          </button>
        ))}
      </div>
    </nav>
  );
}
