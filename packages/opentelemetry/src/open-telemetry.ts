import { checkCallOptions, type CallOptionKinds } from "@bifocal/core/internal";
import type { Principal, Telemetry } from "@bifocal/core/telemetry";
import { type Attributes, type MeterProvider, trace, type TracerProvider } from "@opentelemetry/api";
import { createInstruments } from "./instruments.ts";
import { watchDocuments } from "./watch-documents.ts";
import { watchOperations } from "./watch-operations.ts";
import { watchRequests } from "./watch-requests.ts";
import { watchStoreCalls } from "./watch-store-calls.ts";
import { watchSubscriptions } from "./watch-subscriptions.ts";

export interface OpenTelemetryOptions {
  /** Default: the registered provider. */
  readonly tracerProvider?: TracerProvider;
  /** Default: the provider that is registered when the first request arrives. */
  readonly meterProvider?: MeterProvider;
  /** Whether GraphQL spans contain the text of the document, without the values in it. Default: false. */
  readonly documents?: boolean;
  /** Returns attributes of the principal for the spans of operations. Default: none. */
  readonly principal?: (principal: Principal | null) => Attributes;
  /**
   * Replaces the mount path in `http.route`. Set it to a pattern such as `/tenants/{tenant}` if the router's mount path has a
   * parameter. Default: the mount path of the request.
   */
  readonly prefix?: string;
}

const OPTIONS: CallOptionKinds<OpenTelemetryOptions> = {
  tracerProvider: "an object",
  meterProvider: "an object",
  documents: "true or false",
  principal: "a function",
  prefix: "a string",
};

/**
 * Returns telemetry that records spans and metrics by the OpenTelemetry conventions for HTTP and GraphQL, with the SDK that the
 * application starts. No attribute contains an input, an operand, a variable or a credential.
 *
 * @example const api = defineApi({ resources: [author, book], telemetry: openTelemetry() });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  checkCallOptions("openTelemetry", options, OPTIONS);
  const { documents = false, principal, prefix } = options;
  const tracer = (options.tracerProvider ?? trace.getTracerProvider()).getTracer("@bifocal/opentelemetry");
  const instruments = createInstruments(options.meterProvider);
  return {
    request: watchRequests({ tracer, instruments, prefix }),
    authentication: (work) => work(),
    document: watchDocuments(tracer, documents),
    operation: watchOperations({ tracer, instruments, principal }),
    storeCall: watchStoreCalls(tracer),
    ...watchSubscriptions(tracer, instruments),
  };
}
