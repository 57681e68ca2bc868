import { answerText } from "../answer.ts";
import type { createLibrary } from "./library.ts";

export const TYPE = "application/vnd.api+json";

/** A request for JSON:API, and what it answers. */
export function ask(api: ReturnType<typeof createLibrary>, method: string, url: string, body?: unknown, more = {}) {
  const headers = { accept: TYPE, ...(body === undefined ? {} : { "content-type": TYPE }), ...more };
  return answerText(api, method, url, { headers, ...(body === undefined ? {} : { body }) }).then(
    ({ status, headers: answered, text }) => ({
      status,
      type: answered["Content-Type"],
      location: answered["Location"],
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    }),
  );
}
