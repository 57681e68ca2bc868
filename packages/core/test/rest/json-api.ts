import { answerText } from "../answer.ts";

export const TYPE = "application/vnd.api+json";

/** Sends a JSON:API request and returns the response. */
export function ask(api: Parameters<typeof answerText>[0], method: string, url: string, body?: unknown, more = {}) {
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
