import type { Telemetry } from "@bifocal/core/telemetry";
import {
  type Attributes,
  context,
  propagation,
  SpanKind,
  type TextMapGetter,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { noteCode } from "./faults.ts";
import { inSpan } from "./in-span.ts";
import { sanitizeDocument } from "./sanitize-document.ts";

/**
 * Creates a span for each GraphQL document, by the GraphQL conventions. Its name is the operation type alone, because
 * clients choose operation names freely. Over a WebSocket, it starts a new trace, or continues the trace in
 * `extensions`.
 */
export function watchDocuments(tracer: Tracer, withText: boolean): Telemetry["document"] {
  return ({ type, name, document, carrier, failureOf }, work) => {
    const active = context.active();
    const parent = carrier === undefined ? active : propagation.extract(trace.deleteSpan(active), carrier, EXTENSIONS);
    const attributes: Attributes = { "graphql.operation.type": type };
    if (name !== undefined) attributes["graphql.operation.name"] = name;
    if (withText) attributes["graphql.document"] = sanitizeDocument(document);
    const span = tracer.startSpan(type, { kind: SpanKind.SERVER, attributes }, parent);
    return inSpan(span, parent, work, (result) => {
      const code = failureOf(result);
      if (code !== undefined) noteCode(span, code);
    });
  };
}

const EXTENSIONS: TextMapGetter<Readonly<Record<string, unknown>>> = {
  keys: (extensions) => Object.keys(extensions),
  get: (extensions, name) => {
    const value = Object.hasOwn(extensions, name) ? extensions[name] : undefined;
    return typeof value === "string" ? value : undefined;
  },
};
