import { type Span, SpanStatusCode } from "@opentelemetry/api";
import { isStoreConflict } from "../errors/store-conflict.ts";
import { isBifocalError } from "../errors/bifocal-error.ts";
import { isServerError } from "../errors/codes.ts";

/** Notes a code of ours. What the one who asked did wrong is no fault of the server, so it is no error of its span. */
export function noteCode(span: Span, code: string): void {
  span.setAttribute("error.type", code);
  if (isServerError(code)) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Notes what was thrown by its kind alone: messages of databases name values. */
export function noteThrown(span: Span, thrown: unknown): void {
  if (isBifocalError(thrown)) noteCode(span, thrown.code);
  else if (isStoreConflict(thrown)) noteCode(span, "CONFLICT");
  else {
    span.setAttribute("error.type", thrown instanceof Error ? thrown.name : "_OTHER");
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}
