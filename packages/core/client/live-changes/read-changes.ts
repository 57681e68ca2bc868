export interface Change {
  readonly kind: string;
  /** The row as JSON. */
  readonly data: string;
}

/** Reads server-sent events. Bifocal writes the data of each event on one line. */
export async function* readChanges(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Change> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const kind = /^event: (.*)$/m.exec(event)?.[1];
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (kind !== undefined && data !== undefined) yield { kind, data };
    }
  }
}
