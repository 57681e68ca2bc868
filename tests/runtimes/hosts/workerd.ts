import { workerdSockets, fetchHandler, type FetchHandler } from "@bifocal/fetch";
import { createServed } from "./served.ts";

interface Environment {
  readonly BACKEND: {
    readonly getByName: (name: string) => { readonly fetch: (request: Request) => Promise<Response> };
  };
}

/** A Durable Object, because workerd lets its requests wait for each other, and those of a plain worker don't. */
export class Backend {
  readonly #handler: FetchHandler<readonly unknown[]>;

  constructor() {
    const { api, options } = createServed(fetch);
    this.#handler = fetchHandler(api, {
      ...options,
      sockets: workerdSockets(),
      address: ({ headers }) => headers.get("cf-connecting-ip") ?? undefined,
    });
  }

  fetch(request: Request): Response | Promise<Response> {
    return this.#handler(request);
  }
}

export default {
  fetch: (request: Request, { BACKEND }: Environment): Promise<Response> => BACKEND.getByName("api").fetch(request),
};
