// The header with the name, the language, the theme and help.
import { usePage } from "../state/page.ts";
import { START } from "../state/state.ts";
import { Choice } from "./Choice.tsx";
import { Icon } from "./Icon.tsx";

export function Header({ help }: { help(): void }) {
  const { state, change, say } = usePage();
  return (
    <header class="header">
      <h1>
        <a
          href="#"
          onClick={(event) => {
            event.preventDefault();
            change((now) => ({ ...START, lang: now.lang, theme: now.theme }), "push");
          }}
        >
          <img src="icon.svg" alt="" width="28" height="28" /> grundy
        </a>
      </h1>
      <p class="motto">{say("motto")}</p>
      <div class="settings">
        <Choice
          name="lang"
          legend={say("language")}
          value={state.lang}
          options={[
            { value: "en", label: <Short long="English" short="EN" />, lang: "en" },
            { value: "zh", label: <Short long="中文" short="中" />, lang: "zh-CN" },
          ]}
          choose={(lang) => change((now) => ({ ...now, lang }))}
        />
        <Choice
          name="theme"
          legend={say("colours")}
          value={state.theme}
          options={(["light", "dark", "system"] as const).map((theme) => ({
            value: theme,
            label: <Icon name={theme} />,
            words: say(`colours_${theme}`),
          }))}
          choose={(theme) => change((now) => ({ ...now, theme }))}
        />
        <button type="button" class="icon" onClick={help} aria-label={say("help")} title={say("help")}>
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

/** A text with a short form for narrow screens. */
function Short({ long, short }: { long: string; short: string }) {
  return (
    <>
      <span class="roomy">{long}</span>
      <span class="narrow" aria-hidden="true">
        {short}
      </span>
    </>
  );
}
