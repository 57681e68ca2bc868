/** Returns the slope of the line with the least squared distances from the points. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (part: 0 | 1): number => points.reduce((sum, point) => sum + point[part], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return over / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
