import { allow, defineApi, defineResource, uuid } from "@bifocal/core";
import { openTelemetry } from "@bifocal/opentelemetry";
import { exitWithMessage, serve } from "@bifocal/node-http";
import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { ConsoleMetricExporter, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { ConsoleSpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { z } from "zod";

const spans = new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() });
const reader = new PeriodicExportingMetricReader({
  exporter: new ConsoleMetricExporter(),
  exportIntervalMillis: 10_000,
  exportTimeoutMillis: 5_000,
});
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [spans] }));
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));

const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string().min(1) },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const api = defineApi({ resources: [book], telemetry: openTelemetry({ documents: true }), serverTiming: true });
const { PORT } = process.env;
const { url } = await serve(api, { port: PORT }).catch(exitWithMessage);
console.log(url);
