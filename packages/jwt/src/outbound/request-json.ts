import { lookup } from "node:dns";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isLoopback, isPublic } from "./addresses.ts";
import { hostOf } from "./check-url.ts";
import { type Fetch, requestByFetch } from "./request-by-fetch.ts";

export interface JsonRequest {
  readonly url: URL;
  /** `named` in the configuration, or `found` in a document. A found URL must be in the public internet. */
  readonly origin: "named" | "found";
  /** If defined, it is sent with POST. */
  readonly form?: URLSearchParams;
  readonly authorization?: string;
  /** Timeout of the whole request, in milliseconds. Default: 5,000. */
  readonly timeout?: number | undefined;
  /** Sends the request instead of `node:http`. The host must then check the address itself. */
  readonly fetch?: Fetch | undefined;
}

/** The beginning of a response. */
export interface JsonResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
  /** Stops reading the body. */
  readonly cancel: () => void;
}

const TIMEOUT = 5_000;
const MAX_BYTES = 512 * 1_024;
/** Equals the number of concurrent lookups, so that none queues here, where callers don't take turns. */
const MAX_SOCKETS = 64;

// Separate agents, because sockets in a shared pool were not checked.
const AGENTS = {
  "http:": new HttpAgent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
  "https:": new HttpsAgent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
};

/**
 * Requests JSON from another server. Rejects unless the response is a 200 with at most 512 KiB of JSON within the timeout. Redirects are
 * not followed. The address is checked when the socket is opened, so a name can't resolve to another address after the check.
 */
export async function requestJson(asked: JsonRequest): Promise<unknown> {
  const { url, form, fetch, timeout = TIMEOUT } = asked;
  const accepts = (address: string): boolean => {
    if (url.protocol === "http:") return isLoopback(address);
    return asked.origin === "named" || isPublic(address);
  };
  const host = hostOf(url);
  if (isIP(host) !== 0 && !accepts(host)) throw new Error(`The address of ${url.host} is not allowed.`);
  const signal = AbortSignal.timeout(timeout);
  const body = form?.toString();
  const options = {
    method: body === undefined ? "GET" : "POST",
    signal,
    headers: {
      accept: "application/json",
      ...(asked.authorization === undefined ? {} : { authorization: asked.authorization }),
      ...(body === undefined
        ? {}
        : { "content-type": "application/x-www-form-urlencoded", "content-length": String(Buffer.byteLength(body)) }),
    },
  };
  const response =
    fetch === undefined
      ? await requestByNode(asked, { ...options, lookup: checkedLookup(accepts) }, body)
      : await requestByFetch(fetch, url, options, body);
  try {
    if (response.status !== 200)
      throw new Error(`${url.host} must respond with status 200; it responded with ${response.status}.`);
    return JSON.parse(await readText(response)) as unknown;
  } catch (thrown) {
    response.cancel();
    throw thrown;
  }
}

async function requestByNode(
  { url, origin }: JsonRequest,
  options: RequestOptions,
  body: string | undefined,
): Promise<JsonResponse> {
  const agent = origin === "named" ? AGENTS[url.protocol as keyof typeof AGENTS] : (false as const);
  const send = async (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = (url.protocol === "http:" ? requestHttp : requestHttps)(url, { ...options, agent });
      let isSettled = false;
      request.once("response", (response) => {
        isSettled = true;
        resolve(response);
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // Reading the response reports errors that occur in it.
        if (isSettled) return;
        isSettled = true;
        // The server may close an idle connection just when it is used again. All requests here only read.
        const isClosed = request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
        if (isClosed) resolve(send());
        else reject(error);
      });
      request.end(body);
    });
  const response = await send();
  return { status: response.statusCode ?? 0, body: response, cancel: () => response.destroy() };
}

async function readText({ body }: JsonResponse): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`The response has more than ${MAX_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function checkedLookup(accepts: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) callback(error, "");
      else if (first === undefined || !addresses.every(({ address }) => accepts(address))) {
        callback(new Error(`The address of ${hostname} is not allowed.`), "");
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
