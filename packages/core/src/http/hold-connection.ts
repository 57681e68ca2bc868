import type { Caller } from "../operation/run.ts";
import { EventStream } from "../message/event-stream.ts";
import type { CallerConnections } from "./caller-connections.ts";
import type { HttpResponse } from "../message/message.ts";

/**
 * Counts an event stream for its caller until the stream ends. If the caller has too many, ends the stream and throws
 * RATE_LIMITED.
 */
export function holdConnection(
  response: HttpResponse,
  caller: Pick<Caller, "principal" | "address">,
  connections: CallerConnections,
): HttpResponse {
  const { body } = response;
  if (!(body instanceof EventStream)) return response;
  try {
    body.whenRead(connections.open(caller));
  } catch (thrown) {
    void body.return();
    throw thrown;
  }
  return response;
}
