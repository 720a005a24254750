// What makes the page open where there is no network. Without it the page works as well, online.
export function keepOffline(folder: URL): void {
  if (folder.protocol === "file:" || !("serviceWorker" in navigator)) return;
  // The page itself comes first.
  addEventListener("load", () => {
    navigator.serviceWorker.register(new URL("offline.js", folder)).catch(() => undefined);
  });
}
