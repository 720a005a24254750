// Pictures of the server made part of the page, if they are pictures and nothing else.

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

/** The picture as an element, or nothing where it holds anything but shapes and words. */
export function picture(text: string): SVGSVGElement | null {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg" || parsed.namespaceURI !== "http://www.w3.org/2000/svg") return null;
  for (const element of [parsed, ...parsed.querySelectorAll("*")]) {
    if (!ELEMENTS.has(element.localName)) return null;
    if (![...element.attributes].every(harmless)) return null;
  }
  return document.importNode(parsed, true) as unknown as SVGSVGElement;
}

/** The width and height that a picture asks for. */
export function extent(svg: SVGSVGElement): [number, number] {
  const box = (svg.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  const [, , width = 0, height = 0] = box;
  return [width || 1, height || 1];
}
