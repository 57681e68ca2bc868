import { mapMaybePromise } from "@bifocal/core/internal";
import {
  type HttpRequest,
  type HttpResponse,
  isStream,
  type MaybePromise,
  type RequestActivity,
  ERROR_STATUS,
  type Telemetry,
} from "@bifocal/core/telemetry";
import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { findHostSpan, type HostSpan } from "./host-span.ts";
import type { Instruments } from "./instruments.ts";
import { observeBody } from "./observe-body.ts";
import { methodAttributes, requestAttributes, spanName } from "./request-attributes.ts";

export interface RequestOptions {
  readonly tracer: Tracer;
  readonly instruments: () => Instruments;
  /** Replaces the mount path in `http.route`. */
  readonly prefix: string | undefined;
}

type Work = Parameters<Telemetry["request"]>[1];

/** Creates a server span for each request. If the application has created one already, adds attributes to that one instead. */
export function watchRequests({ tracer, instruments, prefix }: RequestOptions): Telemetry["request"] {
  return (activity, work) => {
    const active = context.active();
    const host = findHostSpan(active);
    if (host === undefined) return withOwn(activity, active, work);
    host.span.setAttributes(requestAttributes(activity.request));
    if (host.metadata !== undefined)
      return mapMaybePromise(work(), (response) => completeHost(host, activity, response));
    return measured(activity, work, (response, end) => {
      end(response);
      return completeHost(host, activity, response);
    });
  };

  function withOwn(activity: RequestActivity, active: Context, work: Work): MaybePromise<HttpResponse | null> {
    const { request } = activity;
    // If a span is active, something before us has read the trace headers already.
    const isBegun = trace.getSpan(active) !== undefined;
    const parent = isBegun ? active : propagation.extract(active, request.headers, HEADERS);
    const attributes = requestAttributes(request);
    const span = tracer.startSpan(spanName(request.method, undefined), { kind: SpanKind.SERVER, attributes }, parent);
    const within = trace.setSpan(parent, span);
    return measured(
      activity,
      () => context.with(within, work),
      (response, end) => {
        noteAnswer(span, activity, response);
        const finish = (thrown?: unknown): void => {
          if (thrown !== undefined) noteStatus(span, ERROR_STATUS.INTERNAL);
          span.end();
          end(response, thrown === undefined ? undefined : ERROR_STATUS.INTERNAL);
        };
        if (response === null || !isStream(response.body) || isEventStream(response)) {
          finish();
          return response;
        }
        return { ...response, body: observeBody(response.body, within, finish) };
      },
    );
  }

  /** Records the metrics of a request. `complete` calls `end` when the response has ended. */
  function measured(
    activity: RequestActivity,
    work: Work,
    complete: (
      response: HttpResponse | null,
      end: (response: HttpResponse | null, status?: number) => void,
    ) => HttpResponse | null,
  ): MaybePromise<HttpResponse | null> {
    const { requestDuration, activeRequests } = instruments();
    const began = performance.now();
    const known = methodAttributes(activity.request);
    activeRequests.add(1, known);
    const end = (response: HttpResponse | null, status = response?.status): void => {
      activeRequests.add(-1, known);
      if (response === null) return;
      const attributes = { ...known, ...answerAttributes(activity, response), ...faultAttributes(status) };
      requestDuration.record((performance.now() - began) / 1000, attributes);
    };
    return mapMaybePromise(work(), (response) => complete(response, end));
  }

  function completeHost(
    { span, metadata }: HostSpan,
    activity: RequestActivity,
    response: HttpResponse | null,
  ): HttpResponse | null {
    noteAnswer(span, activity, response);
    const route = routeOf(activity);
    if (metadata !== undefined && route !== undefined) metadata.route = route;
    return response;
  }

  function noteAnswer(span: Span, activity: RequestActivity, response: HttpResponse | null): void {
    if (response === null || !span.isRecording()) return;
    const route = routeOf(activity);
    if (route !== undefined) span.updateName(spanName(activity.request.method, route));
    span.setAttributes(answerAttributes(activity, response));
    noteStatus(span, response.status);
  }

  function answerAttributes(activity: RequestActivity, { status }: HttpResponse): Attributes {
    const route = routeOf(activity);
    return { "http.response.status_code": status, ...(route === undefined ? {} : { "http.route": route }) };
  }

  function routeOf({ request, route }: RequestActivity): string | undefined {
    if (route === undefined) return undefined;
    const base = prefix ?? request.prefix;
    return route === "/" && base !== "" ? base : base + route;
  }
}

/** Sets the span's status to error for 5xx, and not for 4xx (HTTP conventions, "Status"). */
function noteStatus(span: Span, status: number): void {
  const attributes = faultAttributes(status);
  if (attributes["error.type"] === undefined) return;
  span.setAttributes(attributes).setStatus({ code: SpanStatusCode.ERROR });
}

const CODES = new Map<number, string>(Object.entries(ERROR_STATUS).map(([code, status]) => [status, code]));

function faultAttributes(status: number | undefined): Attributes {
  if (status === undefined || status < ERROR_STATUS.INTERNAL) return {};
  return { "error.type": CODES.get(status) ?? String(status) };
}

/** An event stream is not measured to its end: it lasts as long as the client stays. */
function isEventStream({ headers }: HttpResponse): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === "content-type" && value.startsWith("text/event-stream"),
  );
}

const HEADERS: TextMapGetter<HttpRequest["headers"]> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => {
    const value = headers[name];
    return typeof value === "string" || value === undefined ? value : [...value];
  },
};
