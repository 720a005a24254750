// The board widget. It displays the picture drawn by the engine and sends the selected move to
// Python. It contains no rules of games.

function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

// Returns the picture, in which every element that belongs to a move acts as a button. The engine
// marks these elements with `data-at` and `data-component`, which identify the move.
function picture(state, choose) {
  const box = element("div", { class: "grundy-picture" });
  box.innerHTML = state.svg;
  for (const group of box.querySelectorAll("[data-at]")) {
    const at = group.getAttribute("data-at");
    const component = group.getAttribute("data-component") ?? "0";
    const move = state.moves.find((move) => move.at.join(",") === at && String(move.component) === component);
    if (!move) continue;
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", move.move);
    group.addEventListener("click", () => choose(move));
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        choose(move);
      }
    });
  }
  return box;
}

function render({ model, el }) {
  const root = element("div", { class: "grundy-board" });
  let stage = 0;
  const ask = (message) => model.send(message);
  const choose = (move) => {
    stage = 0;
    ask({ ask: "play", move: move.write });
  };
  function show() {
    const state = model.get("state");
    const status = state.over ? `The game is over. ${state.text}` : state.text || `${state.position}: ${state.mover} to move`;
    const tools = element(
      "div",
      { class: "grundy-moves" },
      element("button", { type: "button", disabled: state.made.length === 0, onclick: () => ask({ ask: "undo" }) }, "Undo"),
      element("button", { type: "button", onclick: () => ask({ ask: "redo" }) }, "Redo"),
      element(
        "button",
        {
          type: "button",
          disabled: state.over,
          onclick: () => {
            stage = Math.min(3, stage + 1);
            ask({ ask: "hint", stage });
          },
        },
        "Hint",
      ),
    );
    const moves = state.moves.slice(0, 200).map((move) =>
      element("button", { type: "button", onclick: () => choose(move) }, move.move),
    );
    root.replaceChildren(
      picture(state, choose),
      element("p", { class: "grundy-told", role: "status" }, status),
      tools,
      element("div", { class: "grundy-moves", "aria-label": "moves" }, ...moves),
    );
  }
  model.on("change:state", show);
  show();
  el.append(root);
  return () => model.off("change:state", show);
}

export default { render };
