import { type Attributes, context, type Tracer } from "@opentelemetry/api";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { inSpan } from "./in-span.ts";

/** A span for each call of a store, beneath the operation that needs it; what a database's own instrumentation makes comes beneath this one. */
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
