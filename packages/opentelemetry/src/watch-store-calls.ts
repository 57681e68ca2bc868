import type { Telemetry } from "@bifocal/core/telemetry";
import { type Attributes, context, type Tracer } from "@opentelemetry/api";
import { inSpan } from "./in-span.ts";

/** Creates a span for each store call, as a child of its operation. Spans of a database driver become children of it. */
export function watchStoreCalls(tracer: Tracer): Telemetry["storeCall"] {
  return ({ method, resource, rowsOf }, work) => {
    const active = context.active();
    const attributes: Attributes = { "bifocal.store.method": method };
    if (resource !== undefined) attributes["bifocal.resource"] = resource;
    const name = resource === undefined ? `store.${method}` : `store.${method} ${resource}`;
    const span = tracer.startSpan(name, { attributes }, active);
    return inSpan(span, active, work, (result) => {
      if (rowsOf !== undefined) span.setAttribute("bifocal.store.rows", rowsOf(result));
    });
  };
}
