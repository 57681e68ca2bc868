import { request, textOf } from "@bifocal/test-servers/request";
import type { World } from "./world.ts";

/** A request of P in one of the styles. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly accept?: string;
}

/** The parts of a response that are compared. */
export interface Answered {
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Every byte of the response. */
export async function answer(
  { api }: World,
  { method, url, body, accept: type = "application/json" }: Asked,
): Promise<Answered> {
  const response = await api.handle(
    request(method, url, { headers: { authorization: "Bearer p", accept: type }, body }),
  );
  if (response === null) throw new Error(`The API has no route for ${url}.`);
  const { status, headers } = response;
  return { asked: `${method} ${url}`, status, headers, text: await textOf(response) };
}
