import { toLat, toLng, toX, toY } from "./mercator.ts";
import type { Points } from "./points.ts";
import type { Size, View } from "./view.ts";

const SHADES = 32;

interface Palette {
  readonly all: Uint32Array;
  readonly dim: Uint32Array;
  readonly matching: Uint32Array;
  readonly line: string;
}

/** Draws points onto a canvas, pixel by pixel: the more points on a pixel, the stronger its color. */
export function createPainter(canvas: HTMLCanvasElement) {
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  let palette = readPalette(canvas);
  let image = new ImageData(1, 1);
  let counts = new Uint8Array(1);

  return {
    /** Reads the colors of the page again. */
    recolor: () => {
      palette = readPalette(canvas);
    },
    paint(view: View, size: Size, all: Points, matching: Points | undefined): void {
      const ratio = Math.min(devicePixelRatio, 2);
      const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
      // The page can have no size for a moment, for example while it is laid out for printing.
      if (width === 0 || height === 0) return;
      if (canvas.width !== width || canvas.height !== height) {
        [canvas.width, canvas.height] = [width, height];
        image = new ImageData(width, height);
        counts = new Uint8Array(width * height);
      }
      const place = { ...view, scale: view.scale * ratio, width, height };
      const radius = radiusOf(view.scale) * ratio;
      const pixels = new Uint32Array(image.data.buffer).fill(0);
      drawPoints({ pixels, counts, shades: matching === undefined ? palette.all : palette.dim }, all, place, radius);
      if (matching !== undefined) {
        drawPoints({ pixels, counts, shades: palette.matching }, matching, place, Math.max(radius * 1.3, 1.8 * ratio));
      }
      context.putImageData(image, 0, 0);
      drawGraticule(context, place, palette.line);
    },
  };
}

interface Place extends View, Size {}

/** Points become larger as the map zooms in. In CSS pixels. */
function radiusOf(scale: number): number {
  return Math.max(0, Math.min(4, Math.log2(scale / 3_000) * 0.5));
}

interface Target {
  readonly pixels: Uint32Array;
  /** Number of points on each pixel. */
  readonly counts: Uint8Array;
  readonly shades: Uint32Array;
}

function drawPoints(
  { pixels, counts, shades }: Target,
  points: Points,
  { x, y, scale, width, height }: Place,
  radius: number,
): void {
  counts.fill(0);
  const { x: xs, y: ys, count: total } = points;
  const [left, top] = [x - width / scale / 2, y - height / scale / 2];
  const reach = Math.ceil(radius);
  const square = radius * radius + 0.25;
  for (let at = 0; at < total; at++) {
    const px = Math.floor(((xs[at] as number) - left) * scale);
    const py = Math.floor(((ys[at] as number) - top) * scale);
    if (px < -reach || py < -reach || px >= width + reach || py >= height + reach) continue;
    for (let dy = -reach; dy <= reach; dy++) {
      const row = py + dy;
      if (row < 0 || row >= height) continue;
      for (let dx = -reach; dx <= reach; dx++) {
        const column = px + dx;
        if (column < 0 || column >= width || dx * dx + dy * dy > square) continue;
        const index = row * width + column;
        const count = Math.min((counts[index] as number) + 1, SHADES - 1);
        counts[index] = count;
        pixels[index] = shades[count] as number;
      }
    }
  }
}

function drawGraticule(context: CanvasRenderingContext2D, place: Place, color: string): void {
  const { x, y, scale, width, height } = place;
  const [left, top] = [x - width / scale / 2, y - height / scale / 2];
  const degrees = (width / scale) * 360;
  const step = [30, 10, 5, 2, 1, 0.5, 0.2].find((one) => degrees / one >= 4) ?? 0.1;
  context.save();
  context.globalCompositeOperation = "destination-over";
  context.strokeStyle = color;
  context.beginPath();
  for (let lng = Math.ceil(toLng(left) / step) * step; lng <= toLng(left + width / scale); lng += step) {
    const at = Math.round((toX(lng) - left) * scale) + 0.5;
    context.moveTo(at, 0);
    context.lineTo(at, height);
  }
  const [north, south] = [Math.min(toLat(top), 84), Math.max(toLat(top + height / scale), -84)];
  for (let lat = Math.ceil(south / step) * step; lat <= north; lat += step) {
    const at = Math.round((toY(lat) - top) * scale) + 0.5;
    context.moveTo(0, at);
    context.lineTo(width, at);
  }
  context.stroke();
  context.restore();
}

function readPalette(canvas: HTMLCanvasElement): Palette {
  const style = getComputedStyle(canvas);
  const read = (name: string): readonly number[] => (style.getPropertyValue(name).match(/[\d.]+/g) ?? []).map(Number);
  const shades = ([r = 0, g = 0, b = 0]: readonly number[], least: number, most: number): Uint32Array =>
    Uint32Array.from({ length: SHADES }, (_, count) => {
      const alpha = count === 0 ? 0 : least + (most - least) * (1 - Math.exp((1 - count) / 4));
      // Little-endian: alpha, blue, green, red.
      return ((Math.round(alpha * 255) << 24) | (b << 16) | (g << 8) | r) >>> 0;
    });
  const [point, matching] = [read("--point"), read("--match")];
  return {
    all: shades(point, 0.45, 1),
    dim: shades(point, 0.2, 0.5),
    matching: shades(matching, 0.85, 1),
    line: style.getPropertyValue("--graticule"),
  };
}
