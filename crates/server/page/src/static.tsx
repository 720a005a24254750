// The entry point of the page without a server.
import { render } from "preact";
import { App } from "./App.tsx";
import { folder } from "./engine/folder.ts";
import { remembering } from "./engine/remembering.ts";
import { wasm } from "./engine/wasm.ts";
import { keepOffline } from "./static/keep.ts";

const here = folder();
render(<App engine={remembering(wasm(here))} />, document.body);
keepOffline(here);
