// Registration of the service worker, which makes the page available offline.
export function registerServiceWorker(folder: URL): void {
  if (folder.protocol === "file:" || !("serviceWorker" in navigator)) return;
  // The registration waits until the page has loaded, so that it does not compete for bandwidth.
  addEventListener("load", () => {
    navigator.serviceWorker.register(new URL("offline.js", folder)).catch(() => undefined);
  });
}
