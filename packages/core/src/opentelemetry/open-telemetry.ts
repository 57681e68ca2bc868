// What is imported as `@bifocal/core/opentelemetry`. Nothing else of this package knows `@opentelemetry/api`.
import { type Attributes, type MeterProvider, trace, type TracerProvider } from "@opentelemetry/api";
import type { Principal } from "../definition/principal.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { createInstruments } from "./instruments.ts";
import { watchDocuments } from "./watch-documents.ts";
import { watchOperations } from "./watch-operations.ts";
import { watchRequests } from "./watch-requests.ts";
import { watchStoreCalls } from "./watch-store-calls.ts";
import { watchSubscriptions } from "./watch-subscriptions.ts";

export interface OpenTelemetryOptions {
  /** Default: the one that the SDK has registered. */
  readonly tracerProvider?: TracerProvider;
  /** Default: the one that the SDK has registered when the first request comes. */
  readonly meterProvider?: MeterProvider;
  /** Whether spans of GraphQL have the text of the document, without the values in it. Default false. */
  readonly documents?: boolean;
  /** What the spans of operations say of who calls. Default: nothing. */
  readonly principal?: (principal: Principal | null) => Attributes;
  /**
   * What stands for the mount in `http.route`: `/tenants/{tenant}` where a router is mounted under a parameter. Default: the mount as the
   * request has it.
   */
  readonly mount?: string;
}

/**
 * Spans and metrics of an API by the conventions of OpenTelemetry for HTTP and GraphQL, made with the SDK that the host has started.
 * No attribute holds an input, an operand, a variable or a credential.
 *
 * @example const api = defineApi({ resources: [author, book], telemetry: openTelemetry() });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  const { documents = false, principal, mount } = options;
  const tracer = (options.tracerProvider ?? trace.getTracerProvider()).getTracer("@bifocal/core");
  const instruments = createInstruments(options.meterProvider);
  return {
    request: watchRequests({ tracer, instruments, mount }),
    authentication: (work) => work(),
    document: watchDocuments(tracer, documents),
    operation: watchOperations({ tracer, instruments, principal }),
    storeCall: watchStoreCalls(tracer),
    ...watchSubscriptions(tracer, instruments),
  };
}
