import type { Format } from "@bifocal/core/formats";

/** Coordinates have three digits, which is about 100 m. */
const SCALE = 1_000;

/**
 * Positions as text, for lists of rows with `lat` and `lng`: the differences between rows in the encoded polyline
 * algorithm format. A list without page parameters is sent completely, so one request has all points of the map.
 * @example curl -H 'Accept: application/vnd.atlas.points' 'http://127.0.0.1:3000/api/cities?fields=lat,lng'
 */
export const points: Format = {
  mediaType: "application/vnd.atlas.points",
  contentType: "application/vnd.atlas.points; charset=us-ascii",
  stream: () => {
    let last = { lat: 0, lng: 0 };
    return {
      head: "",
      row: ({ fields }) => {
        const next = { lat: scaled(fields["lat"]), lng: scaled(fields["lng"]) };
        const text = encode(next.lat - last.lat) + encode(next.lng - last.lng);
        last = next;
        return text;
      },
      foot: "",
    };
  },
};

function scaled(value: unknown): number {
  return typeof value === "number" ? Math.round(value * SCALE) : 0;
}

/** Writes five bits per character. The sign is the lowest bit, and all but the last character have bit 6. */
function encode(value: number): string {
  let rest = value < 0 ? ~(value << 1) : value << 1;
  let text = "";
  for (; rest >= 0x20; rest >>>= 5) text += String.fromCharCode((0x20 | (rest & 0x1f)) + 63);
  return text + String.fromCharCode(rest + 63);
}
