// The service worker, which caches the files of the page. All cached files are of one version. A
// new version is used once no page of the old one is open.
/** Constants set by the build: the list of files, and a hash of their contents. */
declare const FILES: string[];
declare const VERSION: string;

interface LifecycleEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface RequestEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** The part of the global scope of a service worker that is used here. */
interface ServiceWorkerScope {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: LifecycleEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: RequestEvent) => void): void;
}

const worker = globalThis as unknown as ServiceWorkerScope;
const { scope } = worker.registration;
/** The prefix of the cache names. Pages in other folders of the same host have their own caches. */
const CACHE_PREFIX = `grundy ${scope} `;

async function cacheFiles(): Promise<void> {
  const cache = await caches.open(CACHE_PREFIX + VERSION);
  // `no-cache` revalidates cached files, so only changed ones are downloaded.
  await cache.addAll(FILES.map((file) => new Request(new URL(file, scope), { cache: "no-cache" })));
}

async function deleteOldCaches(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(CACHE_PREFIX) && name !== CACHE_PREFIX + VERSION) await caches.delete(name);
  await worker.clients.claim();
}

async function cachedResponse(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE_PREFIX + VERSION);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(cacheFiles()));
worker.addEventListener("activate", (event) => event.waitUntil(deleteOldCaches()));
worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(scope)) event.respondWith(cachedResponse(event.request));
});
