/** An event of a server-sent stream (WHATWG HTML §9.2). */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** Reads the events of a response. Ending the iteration closes the connection. */
export async function* readEvents({ body }: Response): AsyncGenerator<ServerEvent, void> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Bifocal ends lines with a line feed, and writes the data of an event on one line. */
function parseEvent(block: string): ServerEvent | undefined {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  const data = field("data");
  return data === undefined ? undefined : { event: field("event") ?? "message", data, id: field("id") };
}
