import { BELL } from "./world.ts";

/** Keys of bells in REST, and in GraphQL with and without global ids. */
const BELLS = Array.from({ length: 100 }, (_, at) => [
  `"id":${BELL + at}`,
  `"id":"${BELL + at}"`,
  Buffer.from(`Row:${BELL + at}`).toString("base64url"),
]).flat();

const isBell = (text: string): boolean => BELLS.some((bell) => text.includes(bell));

/** Event ids are encrypted positions, which count changes that the caller cannot see. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/^retry: \d+$/gm, "retry:")
    .replaceAll(/^id: ?[\w-]{22}$/gm, "id:")
    .replaceAll(/"eventId":"[\w-]{22}"/g, '"eventId":""');
}

/** Records the messages of a stream. */
export function createRecord() {
  const sent: string[] = [];
  let seen = 0;
  let lastId: string | undefined;
  return {
    add(text: string): void {
      lastId = /^id: ?([\w-]{22})$/m.exec(text)?.[1] ?? /"eventId":"([\w-]{22})"/.exec(text)?.[1] ?? lastId;
      sent.push(text);
    },
    /** Returns whether a bell has arrived since the last call. */
    hasRung(): boolean {
      const rung = sent.slice(seen).some(isBell);
      if (rung) seen = sent.length;
      return rung;
    },
    /** The id of the last event, to resume after it. */
    lastId: (): string | undefined => lastId,
    /** All but bells. */
    all: (): readonly string[] => sent.filter((text) => !isBell(text)).map(withoutIds),
  };
}

export type StreamRecord = ReturnType<typeof createRecord>;
