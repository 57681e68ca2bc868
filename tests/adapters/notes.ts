import {
  allow,
  type Authenticator,
  defineApi,
  defineResource,
  type LimitOptions,
  memoryStore,
  signedIn,
  silentLog,
} from "@bifocal/core";
import { z } from "zod";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: signedIn, update: allow, delete: allow },
  actions: {
    fail: {
      on: "collection",
      access: allow,
      run: () => {
        throw new Error("the cause");
      },
    },
  },
});

/** Trusts the user that a middleware or hook of the host sets on the framework's request. */
const hostUser: Authenticator = {
  challenge: "Bearer",
  schemes: {},
  authenticate: ({ raw }) => {
    const { user } = raw as { readonly user?: { readonly id: string } };
    return user === undefined ? null : { id: user.id };
  },
};

export function createNotes(limits: LimitOptions = {}) {
  return defineApi({
    resources: [note],
    store: memoryStore({ data: { note: [1, 2, 3].map((id) => ({ id, text: `note ${id}` })) } }),
    auth: hostUser,
    log: silentLog,
    limits,
  });
}

/** Sends one request and parses a JSON body. */
export async function fetchJson(
  url: string,
  { method = "GET", body, headers = {} }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
