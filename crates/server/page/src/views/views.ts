// The views of the page, in the order of their tabs. A new view needs one file and one line here.
import type { ComponentType } from "preact";
import type { ViewProperties } from "../state/page.ts";
import type { Word } from "../words.ts";
import { analyse } from "./Analyse.tsx";
import { edit } from "./Edit.tsx";
import { explain } from "./Explain.tsx";
import { games } from "./Games.tsx";
import { graph } from "./Graph.tsx";
import { lecture } from "./Lecture.tsx";
import { period } from "./Period.tsx";
import { matrix } from "./Matrix.tsx";
import { play } from "./Play.tsx";
import { practice } from "./Practice.tsx";
import { quotient } from "./Quotient.tsx";
import { rules } from "./Rules.tsx";
import { show } from "./Show.tsx";
import { table } from "./Table.tsx";
import { tables } from "./Tables.tsx";
import { tree } from "./Tree.tsx";
import { value } from "./Value.tsx";

/**
 * A view. `id` is its name in the URL. `layout` places it next to the board, in place of the board,
 * or on the whole page.
 */
export interface View extends ViewProperties {
  /** The label of its tab; a view without one has no tab. */
  word?: Word;
  /** `true` if the view is next to the board and gets more space than usual. */
  reading?: boolean;
  /** `true` if the view requires tablebases. */
  needsTables?: boolean;
  Panel: ComponentType;
}

export const VIEWS: View[] = [analyse, explain, value, play, practice, table, period, quotient, graph, tree, matrix, edit, rules, lecture, games, tables, show];

export const viewNamed = (id: string): View => VIEWS.find((view) => view.id === id) ?? analyse;
