import { expect, test } from "vitest";
import { requestJson } from "./request-json.ts";

test.each([
  ["http://192.0.2.1/", "named"],
  ["http://[2001:db8::1]/", "named"],
  ["https://10.0.0.1/", "found"],
  ["https://169.254.169.254/", "found"],
] as const)("opens no socket to %s if the URL is %s", async (url, origin) => {
  await expect(requestJson({ url: new URL(url), origin, timeout: 1_000 })).rejects.toThrow("is not allowed");
});
