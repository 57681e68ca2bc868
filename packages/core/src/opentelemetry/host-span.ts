import { type Context, createContextKey, type Span, SpanKind, trace } from "@opentelemetry/api";

/** The span that the host's own instrumentation has made of the same request. */
export interface HostSpan {
  readonly span: Span;
  /** What the instrumentation of `node:http` reads the route from, for its name and its measurements; where that made the span, it measures. */
  readonly metadata: { route?: string } | undefined;
}

/** Where the instrumentation of `node:http` keeps its span, whatever spans of a framework have begun within (`@opentelemetry/core`). */
const RPC_METADATA = createContextKey("OpenTelemetry SDK Context Key RPC_METADATA");

interface RpcMetadata {
  readonly type: string;
  readonly span: Span;
  route?: string;
}

export function findHostSpan(active: Context): HostSpan | undefined {
  const metadata = active.getValue(RPC_METADATA) as RpcMetadata | undefined;
  if (metadata?.type === "http") return { span: metadata.span, metadata };
  const span = trace.getSpan(active);
  return span !== undefined && kindOf(span) === SpanKind.SERVER ? { span, metadata: undefined } : undefined;
}

/** Spans of an SDK say what kind they are; the API does not ask them to. */
function kindOf(span: Span): unknown {
  return "kind" in span ? span.kind : undefined;
}
