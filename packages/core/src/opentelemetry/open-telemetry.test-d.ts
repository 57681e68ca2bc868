import type { Attributes } from "@opentelemetry/api";
import { assertType, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineApi } from "../api/api.ts";
import { defineResource } from "../definition/define-resource.ts";
import type { Principal } from "../definition/principal.ts";
import { allow } from "../definition/rules.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { openTelemetry, type OpenTelemetryOptions } from "./open-telemetry.ts";

const note = defineResource("note", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

test("openTelemetry makes what defineApi takes", () => {
  expectTypeOf(openTelemetry).returns.toEqualTypeOf<Telemetry>();
  expectTypeOf(openTelemetry).returns.not.toBeAny();
  defineApi({ resources: [note], telemetry: openTelemetry() });
  defineApi({ resources: [note], telemetry: undefined, serverTiming: "public" });
  // @ts-expect-error a tracer is no telemetry
  defineApi({ resources: [note], telemetry: { startSpan: () => {} } });
  // @ts-expect-error there is no such choice
  defineApi({ resources: [note], serverTiming: "private" });
});

test("the principal is the API's, the attributes are OpenTelemetry's", () => {
  expectTypeOf<NonNullable<OpenTelemetryOptions["principal"]>>().toEqualTypeOf<
    (principal: Principal | null) => Attributes
  >();
  assertType<OpenTelemetryOptions>({ principal: (principal) => ({ "user.id": String(principal?.id) }) });
  // @ts-expect-error a name is no set of attributes
  assertType<OpenTelemetryOptions>({ principal: (principal) => String(principal?.id) });
});
