// Keeps the files of the page. All are of one version: a new one is used when no page of the old one is open any more.
/** Filled in when the page is built: the files, and a name that is made of what is in them. */
declare const FILES: string[];
declare const VERSION: string;

interface Waits extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Asks extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** What is used of a service worker's surroundings. */
interface Surroundings {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: Waits) => void): void;
  addEventListener(type: "fetch", listener: (event: Asks) => void): void;
}

const outside = globalThis as unknown as Surroundings;
const { scope } = outside.registration;
/** Other folders of the same host have caches of their own. */
const OURS = `grundy ${scope} `;

async function keep(): Promise<void> {
  const cache = await caches.open(OURS + VERSION);
  // What the browser has already it need not fetch again; what has changed since it must.
  await cache.addAll(FILES.map((file) => new Request(new URL(file, scope), { cache: "no-cache" })));
}

async function forget(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== OURS + VERSION) await caches.delete(name);
  await outside.clients.claim();
}

async function kept(request: Request): Promise<Response> {
  const cache = await caches.open(OURS + VERSION);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

outside.addEventListener("install", (event) => event.waitUntil(keep()));
outside.addEventListener("activate", (event) => event.waitUntil(forget()));
outside.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(scope)) event.respondWith(kept(event.request));
});
