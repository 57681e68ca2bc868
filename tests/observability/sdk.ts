import { type Attributes, context, metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

/** A span with its children, in the order in which they started. */
export interface SpanTree {
  readonly name: string;
  readonly kind: keyof typeof SpanKind;
  readonly status: keyof typeof SpanStatusCode;
  readonly attributes: Attributes;
  readonly children: readonly SpanTree[];
}

class Reader extends MetricReader {
  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }

  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }
}

const begun = new WeakMap<object, number>();
let count = 0;
/** Numbers spans as they start, because their times are too coarse for an order. */
const BEGINNINGS: SpanProcessor = {
  onStart: (span) => void begun.set(span.spanContext(), count++),
  onEnd: () => {},
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};
const beginning = (span: ReadableSpan): number => begun.get(span.spanContext()) ?? Number.NaN;

/** Starts the SDK as a host does, exporting to memory. */
export function startSdk() {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [BEGINNINGS, new SimpleSpanProcessor({ exporter })] });
  const reader = new Reader();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));

  /** The spans that have ended since the last call. */
  async function takeSpans(): Promise<readonly ReadableSpan[]> {
    await provider.forceFlush();
    const spans = exporter.getFinishedSpans();
    exporter.reset();
    return [...spans];
  }

  return {
    takeSpans,
    takeTrees: async (): Promise<readonly SpanTree[]> => toTrees(await takeSpans()),
    /** The value of each series, or its count, by attributes. */
    async measured(name: string): Promise<readonly { readonly attributes: Attributes; readonly value: number }[]> {
      const { resourceMetrics } = await reader.collect();
      const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
      const found = all.find(({ descriptor }) => descriptor.name === name);
      return (found?.dataPoints ?? []).map(({ attributes, value }) => ({
        attributes,
        value: typeof value === "number" ? value : value.count,
      }));
    },
    /** The declaration of a metric. */
    async declared(name: string) {
      const { resourceMetrics } = await reader.collect();
      const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
      return all.find(({ descriptor }) => descriptor.name === name)?.descriptor;
    },
  };
}

export function toTrees(spans: readonly ReadableSpan[]): readonly SpanTree[] {
  const known = new Set(spans.map((span) => span.spanContext().spanId));
  const beneath = (parent: string | undefined): readonly SpanTree[] =>
    spans
      .filter(({ parentSpanContext: { spanId } = {} }) =>
        parent === undefined ? spanId === undefined || !known.has(spanId) : spanId === parent,
      )
      .toSorted((a, b) => beginning(a) - beginning(b))
      .map((span) => ({
        name: span.name,
        kind: SpanKind[span.kind] as keyof typeof SpanKind,
        status: SpanStatusCode[span.status.code] as keyof typeof SpanStatusCode,
        attributes: span.attributes,
        children: beneath(span.spanContext().spanId),
      }));
  return beneath(undefined);
}
