// The custom element `<grundy-board>`. All boards of a page share one engine.
import { render } from "preact";
import { folder } from "../engine/folder.ts";
import { cachedEngine } from "../engine/cached.ts";
import { wasm } from "../engine/wasm.ts";
import { Embedded } from "./Embedded.tsx";
import { ATTRIBUTES, settingsOf } from "./settings.ts";

/** The style of the shadow root, replaced by the bundler. */
declare const STYLE: string;

const engine = cachedEngine(wasm(folder()));

let styleSheet: CSSStyleSheet | null = null;

function sharedStyle(): CSSStyleSheet {
  if (!styleSheet) {
    styleSheet = new CSSStyleSheet();
    styleSheet.replaceSync(STYLE);
  }
  return styleSheet;
}

class GrundyBoard extends HTMLElement {
  static readonly observedAttributes = ATTRIBUTES;
  /** The rules may be a child element, which the parser adds after the tag. */
  readonly #inside = new MutationObserver(() => this.#show());
  #root: ShadowRoot | null = null;

  connectedCallback(): void {
    if (!this.#root) {
      this.#root = this.attachShadow({ mode: "open" });
      this.#root.adoptedStyleSheets = [sharedStyle()];
    }
    this.#inside.observe(this, { childList: true, characterData: true, subtree: true });
    this.#show();
  }

  disconnectedCallback(): void {
    this.#inside.disconnect();
    if (this.#root) render(null, this.#root);
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#show();
  }

  #show(): void {
    if (!this.#root) return;
    const settings = settingsOf(this);
    const { lang, theme, ...game } = settings.state;
    // Another game creates a new board; another language or theme updates the existing one.
    const key = JSON.stringify(game);
    const onPosition = ({ position, saved, over }: { position: string; saved: string; over: boolean }) =>
      this.dispatchEvent(new CustomEvent("grundy-position", { detail: { position, moves: saved, over }, bubbles: true, composed: true }));
    render(<Embedded key={key} settings={settings} engine={engine} host={this} onPosition={onPosition} />, this.#root);
  }
}

if (!customElements.get("grundy-board")) customElements.define("grundy-board", GrundyBoard);
