import { type Context, createContextKey, type Span, SpanKind, trace } from "@opentelemetry/api";

/** The span that the application's own instrumentation created for the same request. */
export interface HostSpan {
  readonly span: Span;
  /** Where the instrumentation of `node:http` reads the route from. If it is defined, that instrumentation also records the metrics. */
  readonly metadata: { route?: string } | undefined;
}

/** The key under which the instrumentation of `node:http` stores its span (from `@opentelemetry/core`). A framework's span may be the active one. */
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

/** The kind is part of an SDK's spans, but not of the API's type. */
function kindOf(span: Span): unknown {
  return "kind" in span ? span.kind : undefined;
}
