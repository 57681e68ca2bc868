import {
  type Counter,
  type Histogram,
  type MeterProvider,
  metrics,
  type UpDownCounter,
  ValueType,
} from "@opentelemetry/api";

export interface Instruments {
  readonly requestDuration: Histogram;
  readonly activeRequests: UpDownCounter;
  readonly operationDuration: Histogram;
  readonly activeSubscriptions: UpDownCounter;
  readonly deliveries: Counter;
}

/** The bucket boundaries that the HTTP conventions recommend, in seconds. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Creates the instruments on first use. A meter that is requested before the SDK has started never records anything. */
export function createInstruments(provider: MeterProvider | undefined): () => Instruments {
  let made: Instruments | undefined;
  return () => (made ??= makeInstruments(provider ?? metrics.getMeterProvider()));
}

function makeInstruments(provider: MeterProvider): Instruments {
  const meter = provider.getMeter("@bifocal/opentelemetry");
  const seconds = { unit: "s", advice: { explicitBucketBoundaries: BOUNDARIES } };
  const counted = (unit: string, description: string) => ({ unit, description, valueType: ValueType.INT });
  return {
    requestDuration: meter.createHistogram("http.server.request.duration", {
      ...seconds,
      description: "Duration of HTTP server requests.",
    }),
    activeRequests: meter.createUpDownCounter(
      "http.server.active_requests",
      counted("{request}", "Number of active HTTP server requests."),
    ),
    operationDuration: meter.createHistogram("bifocal.operation.duration", {
      ...seconds,
      description: "Duration of operations: REST, GraphQL and local.",
    }),
    activeSubscriptions: meter.createUpDownCounter(
      "bifocal.subscription.active",
      counted("{subscription}", "Number of open subscriptions."),
    ),
    deliveries: meter.createCounter(
      "bifocal.subscription.deliveries",
      counted("{change}", "Number of changes delivered to subscribers."),
    ),
  };
}
