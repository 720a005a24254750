// A picture as PNG, at twice its size.
import { extent, picture } from "../svg.ts";

const SCALE = 2;
/** The maximum side of a PNG in pixels. */
const MAX_SIDE = 8192;

export async function png(svg: string): Promise<Blob | null> {
  const parsed = picture(svg);
  if (!parsed) return null;
  const [width, height] = extent(parsed);
  const scale = Math.min(SCALE, MAX_SIDE / width, MAX_SIDE / height);
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}
