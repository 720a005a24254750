// A picture of the server that is only looked at.
import { useLayoutEffect, useRef } from "preact/hooks";
import { extent, picture } from "../svg.ts";

interface Props {
  svg: string;
  /** What it shows, for those who do not see it; nothing where words beside it say so. */
  label?: string;
  /** The greatest enlargement. */
  scale?: number;
  /** The least, below which it is scrolled. */
  least?: number;
  /** Take the room there is, up to the greatest enlargement. */
  fill?: boolean;
  /** Keep the colours of the printed picture, on white. */
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
    // What can be scrolled can be reached by the keyboard.
    if (least > 0 && place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
  }, [svg, label, scale, least, fill]);
  return <div class={`picture${fill ? " fill" : ""}${paper ? " on-paper" : ""}`} ref={frame} />;
}
