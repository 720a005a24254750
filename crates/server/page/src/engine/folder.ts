// Returns the folder of the script that runs first, which contains all other files.
export function folder(): URL {
  const script = document.currentScript;
  return new URL(".", script instanceof HTMLScriptElement && script.src !== "" ? script.src : document.baseURI);
}
