/** One requirement of HTTP, checked by sending requests to a server. */
export interface RestAudit {
  /** Stable: an id is never reused for another audit. */
  readonly id: string;
  readonly level: "MUST" | "SHOULD";
  readonly name: string;
  /** The source of the requirement, such as `RFC 9110 §9.3.2`. */
  readonly source: string;
  /** Throws if the server does not meet the requirement. */
  readonly run: (client: AuditClient) => Promise<void>;
}

export interface AuditAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. Undefined if the response is not JSON. */
  readonly json: unknown;
}

export interface AuditRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged. Any other value is sent as JSON. */
  readonly body?: unknown;
}

/** Sends requests to the server under audit. */
export interface AuditClient {
  readonly send: (method: string, path: string, request?: AuditRequest) => Promise<AuditAnswer>;
  /** Creates a note and returns its path. */
  readonly makeNote: (fields?: Readonly<Record<string, unknown>>) => Promise<string>;
}

export function createAuditClient(url: string, fetchFn: typeof fetch): AuditClient {
  const base = url.replace(/\/$/, "");
  let last = 1_000_000 + Math.floor(Math.random() * 1_000_000_000);

  async function send(method: string, path: string, { headers = {}, body }: AuditRequest = {}): Promise<AuditAnswer> {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetchFn(base + path, {
      method,
      headers: { ...type, ...headers },
      redirect: "manual",
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== "" ? JSON.parse(text) : undefined,
    };
  }

  return {
    send,
    async makeNote(fields = {}) {
      const id = ++last;
      const made = await send("POST", "/notes", { body: { id, text: "a note", stars: 3, ...fields } });
      if (made.status !== 201) throw new Error(`POST /notes must return 201; it returned ${made.status}: ${made.text}`);
      return `/notes/${id}`;
    },
  };
}
