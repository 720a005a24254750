// The service worker, which caches the files of the page. All cached files are of one version. A
// new version is used once no page of the old one is open.
/** Constants set by the build: the list of files, and a hash of their contents. */
declare const FILES: string[];
declare const VERSION: string;

interface Waits extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Asks extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** The part of the global scope of a service worker that is used here. */
interface Surroundings {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: Waits) => void): void;
  addEventListener(type: "fetch", listener: (event: Asks) => void): void;
}

const outside = globalThis as unknown as Surroundings;
const { scope } = outside.registration;
/** The prefix of the cache names. Pages in other folders of the same host have their own caches. */
const OURS = `grundy ${scope} `;

async function keep(): Promise<void> {
  const cache = await caches.open(OURS + VERSION);
  // `no-cache` revalidates cached files, so only changed ones are downloaded.
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
