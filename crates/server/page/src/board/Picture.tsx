// A read-only picture drawn by the engine.
import { useLayoutEffect, useRef } from "preact/hooks";
import { extent, picture } from "../svg.ts";

interface Props {
  svg: string;
  /** The accessible label; omitted if adjacent text describes the picture. */
  label?: string;
  /** The maximum scale. */
  scale?: number;
  /** The minimum scale; a picture that is still too large scrolls. */
  least?: number;
  /** If true, the picture fills the available space up to the maximum scale. */
  fill?: boolean;
  /** If true, the picture keeps its print colours, on white. */
  paper?: boolean;
}

export function Picture({ svg, label, scale = 1.6, least = 0, fill = false, paper = false }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const image = picture(svg);
    if (!image) {
      frame.current?.replaceChildren();
      return;
    }
    image.querySelectorAll("title").forEach((title) => title.remove());
    image.querySelectorAll("desc").forEach((desc) => desc.remove());
    if (label === undefined) {
      image.setAttribute("aria-hidden", "true");
      image.removeAttribute("role");
    } else {
      image.setAttribute("role", "img");
      image.setAttribute("aria-label", label);
    }
    const [width, height] = extent(image);
    if (fill) {
      image.style.maxWidth = `${width * scale}px`;
      image.style.maxHeight = `${height * scale}px`;
    } else {
      image.style.width = `${width * scale}px`;
      image.style.minWidth = `${width * least}px`;
    }
    const place = frame.current;
    if (!place) return;
    place.replaceChildren(image);
    // Scrollable content must be focusable, so that it can be scrolled with the keyboard.
    if (least > 0 && place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
  }, [svg, label, scale, least, fill]);
  return <div class={`picture${fill ? " fill" : ""}${paper ? " on-paper" : ""}`} ref={frame} />;
}
