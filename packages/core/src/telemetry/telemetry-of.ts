import { joinTelemetry } from "./join-telemetry.ts";
import { serverTiming } from "./server-timing.ts";
import type { Telemetry } from "./telemetry.ts";

export interface TelemetryOptions {
  readonly telemetry?: Telemetry | undefined;
  readonly serverTiming?: boolean | "public";
}

/** Returns the telemetry of an API according to its options. */
export function telemetryOf({ telemetry, serverTiming: timing = false }: TelemetryOptions): Telemetry | undefined {
  if (timing === false) return telemetry;
  const timed = serverTiming({ withPublic: timing === "public" });
  return telemetry === undefined ? timed : joinTelemetry(timed, telemetry);
}
