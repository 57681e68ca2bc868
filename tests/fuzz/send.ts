import { request } from "node:http";

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly type: string | undefined;
  /** For event streams, only the beginning. */
  readonly text: string;
}

/** Milliseconds. */
const BEGINNING = 20;

/** Sends a request over a new connection. Returns undefined if the client itself rejects its headers or path. */
export function send(base: string, { method, path, query, headers, body }: Sent): Promise<Answered | undefined> {
  const { hostname, port, pathname } = new URL(base);
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    let client: ReturnType<typeof request>;
    try {
      client = request({
        hostname,
        port,
        method,
        path: `${pathname}${path}${query === "" ? "" : `?${query}`}`,
        headers: { ...headers, ...(bytes.length > 0 ? { "content-length": bytes.length } : {}) },
        agent: false,
      });
    } catch {
      resolve(undefined);
      return;
    }
    client.on("error", reject);
    client.on("response", (response) => {
      const chunks: Buffer[] = [];
      const type = response.headers["content-type"];
      const finish = (): void => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, type, text });
      };
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", finish);
      response.on("error", reject);
      if (type?.startsWith("text/event-stream") !== true) return;
      // An event stream ends only when the client disconnects.
      setTimeout(() => {
        finish();
        response.removeAllListeners("error").on("error", () => {});
        client.destroy();
      }, BEGINNING);
    });
    client.end(bytes);
  });
}
