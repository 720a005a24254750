// The nearest spot in a direction, for keyboard navigation.

export interface Spot {
  x: number;
  y: number;
}

export const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Returns the index of the spot nearest to `from` within the quadrant of a direction, or -1.
 * Sideways distance counts twice.
 */
export function nearest(spots: Spot[], from: number, [dx, dy]: [number, number]): number {
  const start = spots[from];
  if (!start) return -1;
  let best = -1;
  let least = Infinity;
  spots.forEach((spot, index) => {
    const ahead = (spot.x - start.x) * dx + (spot.y - start.y) * dy;
    const aside = Math.abs((spot.x - start.x) * dy) + Math.abs((spot.y - start.y) * dx);
    if (index === from || ahead <= 0.5 || aside > ahead) return;
    const distance = ahead + 2.2 * aside;
    if (distance < least) {
      least = distance;
      best = index;
    }
  });
  return best;
}
