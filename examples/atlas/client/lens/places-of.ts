export interface Place {
  readonly id: number;
  readonly name: string;
  readonly lat: number;
  readonly lng: number;
}

/** Returns the rows of a response that have a place on the map. */
export function placesOf(body: unknown): readonly Place[] {
  return (Array.isArray(body) ? body : [body]).flatMap((row: unknown) => {
    const { id, name, lat, lng } = (row ?? {}) as Partial<Record<keyof Place, unknown>>;
    if (typeof lat !== "number" || typeof lng !== "number") return [];
    return [{ id: typeof id === "number" ? id : 0, name: typeof name === "string" ? name : "", lat, lng }];
  });
}
