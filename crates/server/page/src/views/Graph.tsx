// The game graph, in which each position occurs once and is expanded on request.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { DIRECTIONS, nearest } from "../board/direction.ts";
import { Picture } from "../board/Picture.tsx";
import type { Analysis, BoardQuestion } from "../engine/answers.ts";
import { termsOf, literalText } from "../editors/literal.ts";
import { HEIGHT, type Node, type PlacedNode, arrowPath, childKey, keyOf, layout } from "../graph/layers.ts";
import { glyph, grundyText, outcomeSentence, tintOfOutcome } from "../outcome.ts";
import { Choice } from "../shell/Choice.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { askOnce, useRequest } from "../state/request.ts";
import { commonKeys, matchKeys, usePage } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import type { View } from "./views.ts";

export const graph: View = { id: "graph", word: "view_graph", layout: "wide", marks: false, Panel };

/** The maximum number of nodes drawn. */
const MOST = 400;

interface ExpandedGraph {
  start: string;
  nodes: Map<string, Node>;
  expanded: Set<string>;
}

/** The expanded graphs, kept while other views are shown. */
const graphs = new Map<string, ExpandedGraph>();

const sideOf = (analysis: Analysis): Node["begins"] => (analysis.mover === "left" || analysis.mover === "right" ? analysis.mover : undefined);

function valueOf(known: { grundy?: Analysis["solution"]["grundy"]; value?: string }): string {
  if (known.grundy !== undefined) return grundyText(known.grundy);
  return known.value !== undefined && known.value.length <= 8 ? known.value : "";
}

/** Returns the graph with a node expanded. */
function expand(before: ExpandedGraph, key: string, analysis: Analysis): ExpandedGraph {
  const nodes = new Map(before.nodes);
  const node: Node = { ...(nodes.get(key) ?? { key, position: analysis.position }), moves: analysis.moves, complete: analysis.complete };
  if (analysis.solution.outcome !== undefined) node.outcome = analysis.solution.outcome;
  node.value = valueOf(analysis.solution);
  nodes.set(key, node);
  for (const move of analysis.moves) {
    const child = childKey(node, move);
    if (child === null || move.to === undefined) continue;
    const known = nodes.get(child);
    const next: Node = known ?? { key: child, position: move.to };
    if (!known && node.begins) next.begins = node.begins === "left" ? "right" : "left";
    if (!known?.moves && move.leaves) {
      next.outcome = move.leaves.outcome;
      next.value = valueOf(move.leaves);
    }
    nodes.set(child, next);
  }
  return { ...before, nodes, expanded: new Set(before.expanded).add(key) };
}

function Panel() {
  const { state, change, say } = usePage();
  const whole = state.more["graph.whole"] === "yes";
  return (
    <div class="graph-view">
      <div class="explain-bar">
        <Choice
          name="graph-whole"
          legend={say("graph_how")}
          value={whole ? "yes" : "no"}
          options={[
            { value: "no", label: say("graph_opened") },
            { value: "yes", label: say("graph_whole") },
          ]}
          choose={(value) => change((now) => ({ ...now, more: { ...now.more, "graph.whole": value === "yes" ? "yes" : "" } }))}
        />
        <span class="note">{say(whole ? "graph_help_whole" : "graph_help")}</span>
      </div>
      {whole ? <WholeGraph /> : <ExpandableGraph />}
    </div>
  );
}

function WholeGraph() {
  const { state, say } = usePage();
  const start = useRequest("analyse", matchKeys(state));
  const position = start.answer?.position;
  const { answer, trouble, pending } = useRequest("draw", position === undefined ? null : { ...commonKeys(state), game: position, graph: true });
  return (
    <>
      {(trouble ?? start.trouble) && <Trouble trouble={(trouble ?? start.trouble)!} />}
      <PendingIndicator pending={pending || start.pending} />
      {answer?.svg && (
        <div class="shown">
          <Picture svg={answer.svg} label={say("graph_of", { position: position ?? "" })} scale={1} least={0.85} />
        </div>
      )}
    </>
  );
}

function ExpandableGraph() {
  const { state, change, engine, reportOffline, say, announce } = usePage();
  const from = matchKeys(state);
  const start = useRequest("analyse", from);
  const graphKey = JSON.stringify([from.game, from.moves, from.play, from.begins, from.rules]);
  const [tree, setTree] = useState<ExpandedGraph | null>(graphs.get(graphKey) ?? null);
  const [at, setAt] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const stop = useRef(new AbortController());
  const frame = useRef<HTMLDivElement>(null);
  const focused = useRef(false);

  useEffect(() => {
    const known = graphs.get(graphKey);
    setTree(known ?? null);
    setAt(known?.start ?? null);
    stop.current = new AbortController();
    return () => stop.current.abort();
  }, [graphKey]);
  useEffect(() => {
    if (!start.answer || graphs.has(graphKey)) return;
    const begins = sideOf(start.answer);
    const key = keyOf(start.answer.position, begins);
    const first: Node = { key, position: start.answer.position, ...(begins ? { begins } : {}) };
    set(expand({ start: key, nodes: new Map([[key, first]]), expanded: new Set() }, key, start.answer));
    setAt(key);
  }, [start.answer, graphKey]);

  const set = (next: ExpandedGraph) => {
    graphs.set(graphKey, next);
    setTree(next);
  };

  const terms = tree ? termsOf(tree.nodes.get(tree.start)?.position ?? "") : [];
  const name = terms.length === 1 ? terms[0]?.call?.name : undefined;
  const short = (position: string): string => {
    // Positions of one graph differ only in their vertex, so the vertex alone is the label.
    const last = name === "graph" ? termsOf(position)[0]?.call?.args.at(-1)?.value : undefined;
    if (last) return literalText(last).replace(/"/g, "");
    const inside = name !== undefined && position.startsWith(`${name}(`) && position.endsWith(")") && termsOf(position).length === 1 ? position.slice(name.length + 1, -1) : position;
    return inside.replace(/"/g, "");
  };
  const drawn = tree ? layout(tree.nodes, tree.start, tree.expanded, short) : null;

  const toggle = async (key: string) => {
    if (!tree) return;
    const node = tree.nodes.get(key);
    if (!node) return;
    if (tree.expanded.has(key)) {
      const expanded = new Set(tree.expanded);
      expanded.delete(key);
      set({ ...tree, expanded });
      announce(say("graph_closed", { position: node.position }));
      return;
    }
    if (node.moves) {
      set({ ...tree, expanded: new Set(tree.expanded).add(key) });
      return;
    }
    if (tree.nodes.size > MOST) {
      announce(say("graph_full"));
      return;
    }
    setPending(true);
    const question: BoardQuestion = { ...commonKeys(state), game: node.position, moves: "" };
    if (node.begins === "right") question.begins = "right";
    const response = await askOnce(engine, reportOffline, "analyse", question, stop.current.signal);
    if (response === null) return;
    setPending(false);
    if ("trouble" in response) {
      announce(response.trouble.message);
      return;
    }
    const latest = graphs.get(graphKey);
    if (!latest) return;
    set(expand(latest, key, response.answer));
    announce(say("graph_opened_node", { position: node.position, count: response.answer.moves.length }));
  };

  const move = (event: KeyboardEvent, key: string) => {
    if (!drawn) return;
    const direction = DIRECTIONS[event.key];
    if (event.key === "Enter" || event.key === " ") void toggle(key);
    else if (direction) {
      const spots = drawn.placed.map((spot) => ({ x: spot.x + spot.width / 2, y: spot.y * 1.6 }));
      const to = drawn.placed[nearest(spots, drawn.placed.findIndex((spot) => spot.node.key === key), direction)];
      if (to) {
        focused.current = true;
        setAt(to.node.key);
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  useLayoutEffect(() => {
    if (!focused.current || at === null) return;
    focused.current = false;
    frame.current?.querySelector<SVGGElement>(`[data-key="${CSS.escape(at)}"]`)?.focus();
  }, [at]);

  // A wide graph is scrolled to its start at first.
  useLayoutEffect(() => {
    const place = frame.current;
    if (place) place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2;
  }, [graphKey, tree === null]);

  const chosen = tree && at !== null ? (tree.nodes.get(at) ?? tree.nodes.get(tree.start)) : undefined;
  const roving = drawn?.placed.some((spot) => spot.node.key === at) ? at : tree?.start;
  const words = (spot: PlacedNode): string => {
    const { node } = spot;
    const seen = `${glyph(node.outcome)} ${spot.label}${node.value ? ` =${node.value}` : ""}`;
    return [seen, node.position, node.value ? `${say("grundy_value")} ${node.value}` : "", node.begins ? say(`to_move_${node.begins}`) : ""].filter((part) => part !== "").join(", ");
  };
  return (
    <div class="graph-columns">
      <div class="graph-frame" ref={frame}>
        {start.trouble && <Trouble trouble={start.trouble} />}
        {!drawn && <PendingIndicator pending={start.pending} />}
        {drawn && tree && (
          <svg
            viewBox={`-24 -16 ${drawn.width + 90} ${drawn.height + 32}`}
            width={drawn.width + 90}
            height={drawn.height + 32}
            role="group"
            aria-label={say("graph_of", { position: tree.nodes.get(tree.start)?.position ?? "" })}
          >
            <defs>
              {["plain", "winning"].map((kind) => (
                <marker key={kind} id={`tip-${kind}`} viewBox="0 0 10 10" refX="8" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">
                  <path class={`tip ${kind}`} d="M 0 0.5 L 10 5 L 0 9.5 z" />
                </marker>
              ))}
            </defs>
            {drawn.arrows.map((arrow) => (
              <path
                key={`${arrow.from.node.key} ${arrow.to.node.key}`}
                class={`graph-arrow${arrow.winning ? " winning" : ""}${at === arrow.from.node.key ? " lit" : ""}`}
                d={arrowPath(arrow)}
                marker-end={`url(#tip-${arrow.winning ? "winning" : "plain"})`}
              />
            ))}
            {drawn.placed.map((spot) => {
              const { node } = spot;
              const open = tree.expanded.has(node.key);
              const end = open && node.moves?.length === 0;
              return (
                <g
                  key={node.key}
                  class={`graph-node tint-${tintOfOutcome(node.outcome)}${node.key === tree.start ? " start" : ""}${open ? "" : " shut"}${at === node.key ? " chosen" : ""}`}
                  data-key={node.key}
                  role="button"
                  tabIndex={roving === node.key ? 0 : -1}
                  aria-expanded={end ? undefined : open}
                  aria-label={words(spot)}
                  onFocus={() => setAt(node.key)}
                  onClick={() => {
                    focused.current = true;
                    setAt(node.key);
                    void toggle(node.key);
                  }}
                  onKeyDown={(event) => move(event, node.key)}
                >
                  <rect x={spot.x} y={spot.y} width={spot.width} height={HEIGHT} rx="9" />
                  <text y={spot.y + 25}>
                    <tspan class="graph-letter" x={spot.x + 16} text-anchor="middle">
                      {glyph(node.outcome)}
                    </tspan>{" "}
                    <tspan class="graph-label" x={spot.x + 32}>
                      {spot.label}
                    </tspan>
                    {node.value && " "}
                    {node.value && (
                      <tspan class="graph-value" x={spot.x + spot.width - 10} text-anchor="end">
                        ={node.value}
                      </tspan>
                    )}
                  </text>
                  {!open && <path class="graph-more" d={`M ${spot.x + spot.width / 2 - 7} ${spot.y + HEIGHT + 5} h 14 M ${spot.x + spot.width / 2} ${spot.y + HEIGHT - 2} v 14`} />}
                </g>
              );
            })}
          </svg>
        )}
      </div>
      <aside class="graph-side" aria-label={say("graph_node")}>
        {chosen && <SelectedNode node={chosen} open={() => change((now) => ({ ...openGame(now, chosen.position), begins: chosen.begins ?? "left", view: "analyse" }), "push")} />}
        <PendingIndicator pending={pending} />
      </aside>
    </div>
  );
}

/** The selected node: its board, outcome and moves. */
function SelectedNode({ node, open }: { node: Node; open(): void }) {
  const { state, say } = usePage();
  const { answer } = useRequest("board", { ...commonKeys(state), game: node.position, moves: "", ...(node.begins === "right" ? { begins: "right" as const } : {}) }, { keep: true });
  return (
    <>
      <h2>
        <code>{node.position}</code>
      </h2>
      {answer?.svg && <Picture svg={answer.svg} scale={1} />}
      <p class="editor-verdict">
        <span class={`badge tint-${tintOfOutcome(node.outcome)}`} aria-hidden="true">
          {glyph(node.outcome)}
        </span>
        <strong>{outcomeSentence(node.outcome, node.begins !== undefined, say)}</strong>
      </p>
      {node.begins && <p class="note">{say(`to_move_${node.begins}`)}</p>}
      {node.moves && node.moves.length === 0 && <p class="note">{say("no_move")}</p>}
      {node.complete === false && <p class="note">{say("moves_incomplete")}</p>}
      <button type="button" class="plain" onClick={open}>
        {say("practice_open")}
      </button>
    </>
  );
}
