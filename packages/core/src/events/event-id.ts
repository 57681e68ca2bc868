/** The id of a change: the name of its log and its place there, so that the id of another log is known for what it is. */
export function eventId(log: string, place: number): string {
  return `${log}.${place}`;
}

/** The place in an id of this log; undefined in any other. */
export function placeOf(log: string, id: string): number | undefined {
  const place = id.startsWith(`${log}.`) ? id.slice(log.length + 1) : "";
  return /^\d{1,15}$/.test(place) ? Number(place) : undefined;
}
