// The entry point of the page without a server.
import { render } from "preact";
import { App } from "./App.tsx";
import { folder } from "./engine/folder.ts";
import { cachedEngine } from "./engine/cached.ts";
import { wasm } from "./engine/wasm.ts";
import { registerServiceWorker } from "./static/register.ts";

const here = folder();
render(<App engine={cachedEngine(wasm(here))} />, document.body);
registerServiceWorker(here);
