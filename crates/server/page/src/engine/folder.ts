// The folder that the script lies in which runs first: all that it needs lies beside it.
export function folder(): URL {
  const script = document.currentScript;
  return new URL(".", script instanceof HTMLScriptElement && script.src !== "" ? script.src : document.baseURI);
}
