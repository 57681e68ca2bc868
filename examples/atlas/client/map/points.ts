import { fetchAgain } from "../fetch-again.ts";
import { toX, toY } from "./mercator.ts";

const SCALE = 1_000;
const STEP = 16_384;

/** Positions in the square of the map. `x` and `y` may be longer than `count`. */
export interface Points {
  x: Float32Array;
  y: Float32Array;
  count: number;
}

export function noPoints(): Points {
  return { x: new Float32Array(0), y: new Float32Array(0), count: 0 };
}

/** Reads the points of a request, and calls `onPart` after each part that arrives. Throws if the request fails. */
export async function readPoints(url: string, signal: AbortSignal, onPart: (points: Points) => void): Promise<Points> {
  const response = await fetchAgain(`/api${url}`, { headers: { Accept: "application/vnd.atlas.points" }, signal });
  if (!response.ok || response.body === null) throw new Error(`The points have status ${response.status}.`);
  const points = noPoints();
  const decode = createDecoder(points);
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    decode(part.value);
    onPart(points);
  }
  return points;
}

/** Decodes differences of latitude and longitude in the encoded polyline algorithm format. */
export function createDecoder(points: Points): (bytes: Uint8Array) => void {
  let [value, shift, lat, lng] = [0, 0, 0, 0];
  let isLat = true;
  return (bytes) => {
    for (const byte of bytes) {
      const bits = byte - 63;
      value |= (bits & 0x1f) << shift;
      shift += 5;
      if (bits >= 0x20) continue;
      const difference = value & 1 ? ~(value >> 1) : value >> 1;
      if (isLat) lat += difference;
      else {
        lng += difference;
        add(points, toX(lng / SCALE), toY(lat / SCALE));
      }
      isLat = !isLat;
      value = shift = 0;
    }
  };
}

function add(points: Points, x: number, y: number): void {
  if (points.count === points.x.length) {
    points.x = grown(points.x);
    points.y = grown(points.y);
  }
  points.x[points.count] = x;
  points.y[points.count] = y;
  points.count++;
}

function grown(values: Float32Array): Float32Array {
  const longer = new Float32Array(values.length + Math.max(STEP, values.length));
  longer.set(values);
  return longer;
}
