import {
  type Attributes,
  context,
  propagation,
  SpanKind,
  type TextMapGetter,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { noteCode } from "./faults.ts";
import { inSpan } from "./in-span.ts";
import { sanitizeDocument } from "./sanitize-document.ts";

/**
 * A span for each GraphQL document, by the GraphQL conventions. Its name is the type alone, because names of operations are the client's to
 * choose. Over a WebSocket it begins a trace of its own, or goes on with the one in `extensions`.
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
