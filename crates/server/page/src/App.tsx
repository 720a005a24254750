// The root component: the state of the page, its engine and its views.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Engine } from "./engine/engine.ts";
import { Board } from "./board/Board.tsx";
import { useMatchState } from "./board/match.ts";
import { ExpressionBox } from "./expression/ExpressionBox.tsx";
import { RulesCard } from "./games/RulesCard.tsx";
import { Banner } from "./shell/Banner.tsx";
import { Header } from "./shell/Header.tsx";
import { HelpDialog } from "./shell/HelpDialog.tsx";
import { useKeys } from "./shell/keys.ts";
import { Tabs } from "./shell/Tabs.tsx";
import { readAddress, writeAddress } from "./state/address.ts";
import { useConnection } from "./state/connection.ts";
import { type Page, PageContext, MatchContext, commonKeys, usePage } from "./state/page.ts";
import { START, type State } from "./state/state.ts";
import { store, storedLanguage, storedTheme } from "./state/stored.ts";
import { useDark } from "./shell/colours.ts";
import { viewNamed } from "./views/views.ts";
import { speaker } from "./words.ts";

const initial = (): State => readAddress(location.hash, { ...START, lang: storedLanguage(), theme: storedTheme() });

export function App({ engine }: { engine: Engine }) {
  const [state, setState] = useState<State>(initial);
  const { offline, connection, reportOffline } = useConnection(engine);
  const [announcement, setAnnouncement] = useState("");
  const latest = useRef(state);
  latest.current = state;

  const change = useCallback<Page["change"]>((update, how = "replace") => {
    const next = update(latest.current);
    latest.current = next;
    const address = writeAddress(next);
    if (address !== location.hash) {
      if (how === "push") history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    }
    setState(next);
  }, []);

  useEffect(() => {
    const read = () => {
      if (location.hash === writeAddress(latest.current)) return;
      latest.current = readAddress(location.hash, latest.current);
      setState(latest.current);
    };
    addEventListener("hashchange", read);
    addEventListener("popstate", read);
    return () => {
      removeEventListener("hashchange", read);
      removeEventListener("popstate", read);
    };
  }, []);

  const dark = useDark(state.theme);
  useEffect(() => {
    document.documentElement.lang = state.lang === "zh" ? "zh-CN" : "en";
    store("lang", state.lang);
  }, [state.lang]);
  useEffect(() => {
    store("theme", state.theme);
  }, [state.theme]);

  const announce = useCallback((text: string) => setAnnouncement(text), []);
  const say = useMemo(() => speaker(state.lang), [state.lang]);
  const page = useMemo<Page>(
    () => ({ state, view: viewNamed(state.view), change, engine, connection, reportOffline, say, announce, dark }),
    [state, change, engine, connection, reportOffline, say, announce, dark],
  );
  return (
    <PageContext.Provider value={page}>
      <Layout offline={offline} />
      <div class="unseen" role="status" aria-live="polite">
        {announcement}
      </div>
    </PageContext.Provider>
  );
}

/** The layout of the page. */
function Layout({ offline }: { offline: boolean }) {
  const match = useMatchState();
  const [help, setHelp] = useState(false);
  const { state, say } = match.page;
  useKeys(match, () => setHelp(true));
  useEffect(() => {
    document.title = `${match.board.answer?.position ?? commonKeys(state).game} – grundy`;
  }, [match.board.answer?.position, state.game]);

  const view = viewNamed(state.view);
  if (view.layout === "alone") {
    return (
      <MatchContext.Provider value={match}>
        <Banner offline={offline} />
        <view.Panel />
      </MatchContext.Provider>
    );
  }
  return (
    <MatchContext.Provider value={match}>
      <SkipLink to={view.layout === "beside" ? "board" : "panel"} />
      <Header help={() => setHelp(true)} />
      <Banner offline={offline} />
      <ExpressionBox />
      <Tabs />
      <main class={`columns ${view.layout}${view.reading ? " reading" : ""}`}>
        {view.layout === "beside" && (
          <div class="centre">
            <Board />
          </div>
        )}
        <section id="panel" role="tabpanel" aria-labelledby={`tab-${view.id}`} class="panel" tabIndex={-1}>
          <view.Panel />
        </section>
        {view.layout === "beside" && (
          <aside class="left" aria-label={say("rules_heading")}>
            <RulesCard />
          </aside>
        )}
      </main>
      {help && <HelpDialog close={() => setHelp(false)} />}
    </MatchContext.Provider>
  );
}

/** A link past the header, for keyboard users. */
function SkipLink({ to }: { to: "board" | "panel" }) {
  const { say } = usePage();
  const skip = (event: Event) => {
    event.preventDefault();
    document.getElementById(to)?.focus();
  };
  return (
    <a class="skip" href={`#${to}`} onClick={skip}>
      {say(to === "board" ? "skip_to_board" : "skip_to_panel")}
    </a>
  );
}
