import type { Endpoint } from "./endpoint.ts";
import { patchTypes } from "../write/handle-patch.ts";
import { inputTypes, MERGE_PATCH } from "../request/parse-body.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import type { RouteTarget } from "./route-target.ts";

export function methodsOf({ methods }: Endpoint): readonly string[] {
  const names = Object.keys(methods).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...names, "OPTIONS"];
}

/**
 * Returns the headers that list the methods and media types of an endpoint (RFC 9110 §10.2.1, RFC 5789 §3.1, RFC 10008
 * §3).
 */
export function optionHeaders(endpoint: Endpoint, target: RouteTarget): Record<string, string> {
  const headers: Record<string, string> = { Allow: methodsOf(endpoint).join(", ") };
  const { GET, POST, PUT, PATCH } = endpoint.methods;
  if (POST !== undefined) {
    const isRow = POST.answers === "item" && GET !== undefined;
    headers["Accept-Post"] = (POST.only ?? (isRow ? inputTypes(target) : [JSON_TYPE])).join(", ");
  }
  if (PATCH !== undefined) {
    const isItem = PUT !== undefined;
    headers["Accept-Patch"] = (PATCH.only ?? (isItem ? patchTypes(target) : [MERGE_PATCH, JSON_TYPE])).join(", ");
  }
  // A structured field (RFC 9651) with a list of media types.
  if (endpoint.methods.QUERY !== undefined) headers["Accept-Query"] = JSON_TYPE;
  return headers;
}
