import { allow, defineApi, defineResource, type Principal, type Telemetry } from "@bifocal/core";
import type { Attributes } from "@opentelemetry/api";
import { assertType, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { openTelemetry, type OpenTelemetryOptions } from "./open-telemetry.ts";

const note = defineResource("note", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

test("returns what `telemetry` of defineApi accepts", () => {
  expectTypeOf(openTelemetry).returns.toEqualTypeOf<Telemetry>();
  expectTypeOf(openTelemetry).returns.not.toBeAny();
  defineApi({ resources: [note], telemetry: openTelemetry() });
  defineApi({ resources: [note], telemetry: undefined, serverTiming: "public" });
  // @ts-expect-error a tracer is not a Telemetry
  defineApi({ resources: [note], telemetry: { startSpan: () => {} } });
  // @ts-expect-error `serverTiming` does not accept this value
  defineApi({ resources: [note], serverTiming: "private" });
});

test("passes the principal and takes attributes of OpenTelemetry", () => {
  expectTypeOf<NonNullable<OpenTelemetryOptions["principal"]>>().toEqualTypeOf<
    (principal: Principal | null) => Attributes
  >();
  assertType<OpenTelemetryOptions>({ principal: (principal) => ({ "user.id": String(principal?.id) }) });
  // @ts-expect-error attributes must be an object
  assertType<OpenTelemetryOptions>({ principal: (principal) => String(principal?.id) });
});
