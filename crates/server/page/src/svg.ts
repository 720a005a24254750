// Sanitizes the pictures of the engine before they become part of the page.

const ELEMENTS = new Set(
  "svg g title desc rect circle ellipse path line polyline polygon text tspan defs clipPath marker linearGradient radialGradient stop use".split(
    " ",
  ),
);

const harmless = (attribute: Attr): boolean => {
  const name = attribute.name.toLowerCase();
  if (name.startsWith("on") || name === "style") return false;
  if (name === "href" || name === "xlink:href") return attribute.value.startsWith("#");
  return !/url\(\s*['"]?\s*[^#'"\s]/i.test(attribute.value);
};

/** Returns the picture as an element, or `null` if it contains anything but shapes and text. */
export function picture(text: string): SVGSVGElement | null {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg" || parsed.namespaceURI !== "http://www.w3.org/2000/svg") return null;
  for (const element of [parsed, ...parsed.querySelectorAll("*")]) {
    if (!ELEMENTS.has(element.localName)) return null;
    if (![...element.attributes].every(harmless)) return null;
  }
  return document.importNode(parsed, true) as unknown as SVGSVGElement;
}

/** Returns the width and the height of a picture. */
export function extent(svg: SVGSVGElement): [number, number] {
  const box = (svg.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  const [, , width = 0, height = 0] = box;
  return [width || 1, height || 1];
}
