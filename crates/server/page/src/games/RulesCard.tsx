// The rules of the games on the board.
import type { GameSheet } from "../engine/answers.ts";
import { NotationText } from "../shell/NotationText.tsx";
import { useRequest } from "../state/request.ts";
import { usePage } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import { allGames, gameTitle, namesIn, useGames } from "./list.ts";

const CARDS = 4;

export function RulesCard() {
  const { state, change, say } = usePage();
  const games = allGames(useGames().answer);
  const names = namesIn(state.game, games).slice(0, CARDS);
  return (
    <div class="rules">
      <button type="button" class="plain wide" onClick={() => change((now) => ({ ...now, view: "games" }))}>
        {say("games_all")}
      </button>
      {names.map((name, index) => (
        <Sheet key={name} name={name} open={index === 0} />
      ))}
    </div>
  );
}

function Sheet({ name, open }: { name: string; open: boolean }) {
  const { state, change, say } = usePage();
  const sheet: GameSheet | null = useRequest("help", { game: name, lang: state.lang }, { keep: true }).answer;
  if (!sheet) return null;
  const theorems = sheet.theorem ? [sheet.theorem, ...(sheet.more_theorems ?? [])] : [];
  return (
    <details class="sheet" open={open}>
      <summary>
        <h2>{gameTitle(sheet, state.lang)}</h2>
      </summary>
      <p class="telling">
        <NotationText text={sheet.rules} />
      </p>
      <h3>{say("rules_notation")}</h3>
      <p>
        <code>{sheet.signature}</code>
      </p>
      <p class="note">
        <NotationText text={sheet.arguments} />
      </p>
      <p>
        <button type="button" class="link" onClick={() => change((now) => openGame(now, sheet.example), "push")}>
          <code>{sheet.example}</code>
        </button>
      </p>
      {theorems.length > 0 && <h3>{say("rules_theorem")}</h3>}
      {theorems.map((theorem) => (
        <p key={theorem.name} class="theorem">
          <strong>{theorem.name}.</strong> <em>{theorem.statement}</em>
        </p>
      ))}
      {sheet.reference && (
        <>
          <h3>{say("rules_reference")}</h3>
          <p class="note">{sheet.reference}</p>
        </>
      )}
    </details>
  );
}
