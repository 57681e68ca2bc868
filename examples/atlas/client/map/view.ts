import { type Bounds, toLat, toLng, toX, toY } from "./mercator.ts";

/** The visible part of the map. `scale` is the size of the world in CSS pixels. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const MAX_SCALE = 900_000;
/** The latitudes between which there are cities. */
const NORTH = toY(80);
const SOUTH = toY(-57);

/** Returns the view with all cities. On narrow screens it shows the full height, and less of the width. */
export function worldView({ width, height }: Size): View {
  const scale = Math.max(width, height / (SOUTH - NORTH));
  return clamp({ x: toX(10), y: (NORTH + SOUTH) / 2, scale }, { width, height });
}

/** Keeps the view within the world. */
export function clamp({ x, y, scale }: View, { width, height }: Size): View {
  const limited = Math.min(Math.max(scale, width), MAX_SCALE);
  const [halfWidth, halfHeight] = [width / limited / 2, height / limited / 2];
  return { x: within(x, halfWidth, 1 - halfWidth), y: within(y, halfHeight, 1 - halfHeight), scale: limited };
}

function within(value: number, low: number, high: number): number {
  return low > high ? 0.5 : Math.min(Math.max(value, low), high);
}

export function boundsOfView({ x, y, scale }: View, { width, height }: Size): Bounds {
  const [halfWidth, halfHeight] = [width / scale / 2, height / scale / 2];
  return {
    south: Math.max(toLat(y + halfHeight), -90),
    north: Math.min(toLat(y - halfHeight), 90),
    west: Math.max(toLng(x - halfWidth), -180),
    east: Math.min(toLng(x + halfWidth), 180),
  };
}

/** Returns the view that contains an area, with `padding` pixels around it. */
export function viewOf({ south, north, west, east }: Bounds, size: Size, padding = 0): View {
  const [left, right, top, bottom] = [toX(west), toX(east), toY(Math.min(north, 85)), toY(Math.max(south, -85))];
  const scale = Math.min((size.width - 2 * padding) / (right - left), (size.height - 2 * padding) / (bottom - top));
  return clamp({ x: (left + right) / 2, y: (top + bottom) / 2, scale }, size);
}

/** Zooms by a factor around a pixel of the map, which keeps its place. */
export function zoomed(view: View, size: Size, factor: number, at: readonly [number, number]): View {
  const { scale } = clamp({ ...view, scale: view.scale * factor }, size);
  const [left, top] = [at[0] - size.width / 2, at[1] - size.height / 2];
  return clamp(
    { x: view.x + left / view.scale - left / scale, y: view.y + top / view.scale - top / scale, scale },
    size,
  );
}

/** Digits after the decimal point that a pixel needs. */
export function digitsOf({ scale }: View): number {
  return Math.max(1, Math.min(4, Math.ceil(Math.log10(scale / 360))));
}
