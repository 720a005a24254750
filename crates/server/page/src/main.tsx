// The entry point of the page with a server.
import { render } from "preact";
import { App } from "./App.tsx";
import { remembering } from "./engine/remembering.ts";
import { server } from "./engine/server.ts";

render(<App engine={remembering(server)} />, document.body);
