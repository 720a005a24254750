// The entry point of the page with a server.
import { render } from "preact";
import { App } from "./App.tsx";
import { cachedEngine } from "./engine/cached.ts";
import { server } from "./engine/server.ts";

render(<App engine={cachedEngine(server)} />, document.body);
