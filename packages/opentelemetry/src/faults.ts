import { errorCodeOf, isServerError } from "@bifocal/core/telemetry";
import { type Span, SpanStatusCode } from "@opentelemetry/api";

/** Records an error code. Mistakes of the client do not set the span's status to error, because the server did its work. */
export function noteCode(span: Span, code: string): void {
  span.setAttribute("error.type", code);
  if (isServerError(code)) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Records the kind of a thrown error. Its message is left out, because messages of databases contain values. */
export function noteThrown(span: Span, thrown: unknown): void {
  const code = errorCodeOf(thrown);
  if (code !== undefined) noteCode(span, code);
  else {
    span.setAttribute("error.type", thrown instanceof Error ? thrown.name : "_OTHER");
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}
