// A static host for the page without a server: serves one folder under a subfolder of the host.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** Serves folders by path: `{ "/course/grundy/": FOLDER }`. `asked` lists the requests. */
export async function host(folders, port = 0, headers = {}) {
  const asked = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    asked.push(path);
    const place = Object.keys(folders).find((place) => path.startsWith(place));
    const name = normalize(place ? path.slice(place.length) || "index.html" : "..");
    try {
      if (name.startsWith("..")) throw new Error(name);
      const bytes = await readFile(join(folders[place], name));
      response.writeHead(200, { "Content-Type": KINDS[extname(name)] ?? "application/octet-stream", ...headers }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  // A failed test that does not stop its host must not keep the process alive.
  server.unref();
  const own = server.address().port;
  return {
    asked,
    port: own,
    origin: `http://127.0.0.1:${own}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

const PLACE = "/course/grundy/";

/** Serves the built page, with the interface of {@link serve} in server.mjs. */
export async function serveFolder(folder, port = 0) {
  const { asked, origin, port: own, stop } = await host({ [PLACE]: folder }, port);
  return { asked, address: origin + PLACE, port: own, stop };
}
