/** An area between two parallels and two meridians, in degrees. */
export interface Bounds {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

/** Projects degrees to a square from 0 to 1 (Mercator), in which an area between parallels and meridians is a rectangle. */
export function toX(lng: number): number {
  return (lng + 180) / 360;
}

export function toY(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export function toLng(x: number): number {
  return x * 360 - 180;
}

export function toLat(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
}
