import type { Bounds } from "../map/mercator.ts";
import type { Param, RestRequest } from "./request-text.ts";

const LAT = "filter[lat][between]";
const LNG = "filter[lng][between]";

export function listsCities({ method, path }: RestRequest): boolean {
  return method === "GET" && path === "/cities";
}

/** Returns the area to which a list of cities is limited. */
export function boundsOf(request: RestRequest): Bounds | undefined {
  if (!listsCities(request)) return undefined;
  const [south, north] = valuesOf(request, LAT);
  const [west, east] = valuesOf(request, LNG);
  if (south === undefined || north === undefined || west === undefined || east === undefined) return undefined;
  return south < north && west < east ? { south, north, west, east } : undefined;
}

/** Limits a list of cities to an area, with as many digits as its pixels need. */
export function withBounds(request: RestRequest, { south, north, west, east }: Bounds, digits: number): RestRequest {
  const between = (name: string, from: number, to: number): readonly Param[] => [
    [name, from.toFixed(digits)],
    [name, to.toFixed(digits)],
  ];
  const params = [...between(LAT, south, north), ...between(LNG, west, east), ...withoutBounds(request.params)];
  return { ...request, params };
}

export function withoutBounds(params: readonly Param[]): readonly Param[] {
  return params.filter(([name]) => name !== LAT && name !== LNG);
}

function valuesOf({ params }: RestRequest, name: string): readonly number[] {
  const values = params.filter((param) => param[0] === name).map(([, value]) => Number(value));
  return values.every((value) => Number.isFinite(value)) ? values : [];
}
