import { BELL, BELL_COUNT } from "./world.ts";

/** Keys of bells in REST, and in GraphQL with and without global ids. */
const BELLS = Array.from({ length: BELL_COUNT }, (_, at) => [
  `"id":${BELL + at}`,
  `"id":"${BELL + at}"`,
  Buffer.from(`Row:${BELL + at}`).toString("base64url"),
]);

const isOneOf = (bells: readonly (readonly string[])[], text: string): boolean =>
  bells.some((forms) => forms.some((bell) => text.includes(bell)));
const isBell = (text: string): boolean => isOneOf(BELLS, text);

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
  let listener: ((text: string) => void) | undefined;
  let lastId: string | undefined;
  return {
    add(text: string): void {
      lastId = /^id: ?([\w-]{22})$/m.exec(text)?.[1] ?? /"eventId":"([\w-]{22})"/.exec(text)?.[1] ?? lastId;
      sent.push(text);
      listener?.(text);
    },
    /**
     * Waits until one of these bells has arrived. Returns false after a timeout in milliseconds. Events of earlier bells
     * may still arrive.
     */
    async rings(keys: readonly number[], timeout: number): Promise<boolean> {
      const bells = keys.map((key) => BELLS[key - BELL] ?? []);
      if (sent.some((text) => isOneOf(bells, text))) return true;
      return new Promise((resolve) => {
        const end = (hasRung: boolean): void => {
          clearTimeout(timer);
          listener = undefined;
          resolve(hasRung);
        };
        const timer = setTimeout(end, timeout, false);
        listener = (text) => {
          if (isOneOf(bells, text)) end(true);
        };
      });
    },
    /** The id of the last event, to resume after it. */
    lastId: (): string | undefined => lastId,
    /** All but bells. */
    all: (): readonly string[] => sent.filter((text) => !isBell(text)).map(withoutIds),
  };
}

export type StreamRecord = ReturnType<typeof createRecord>;
