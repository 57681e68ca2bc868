import { ERROR_STATUS } from "../../errors/codes.ts";
import type { HttpRequest } from "../../message/message.ts";
import type { AnyApi, HttpSide } from "../any-api.ts";
import { restartNotice } from "../restart-notice.ts";
import { SocketAdmission } from "../socket-admission.ts";
import { offersWebSocket } from "../../message/offers-web-socket.ts";
import { FetchSocket, type SocketEvents } from "./fetch-socket.ts";

/** Upgrades a request on its host. Returns `undefined` if the host can't upgrade it. */
export type UpgradeRequest = (subprotocol: string | undefined, events: SocketEvents) => Response | undefined;

/** The WebSockets of an API on a host with `Request` and `Response`. Closing the API closes them with 1012. */
export class FetchSockets {
  readonly #side: HttpSide;
  readonly #admission: SocketAdmission;
  readonly #sockets = new Set<FetchSocket>();

  constructor(api: AnyApi) {
    const side = api["~http"];
    this.#side = side;
    this.#admission = new SocketAdmission(side);
    side.onClose(() => {
      for (const socket of this.#sockets) socket.end(...restartNotice());
    });
  }

  /** Whether a request asks for a WebSocket of the API. */
  matches({ method, path, headers }: HttpRequest): boolean {
    return method === "GET" && path === this.#side.sockets.path && offersWebSocket({ headers });
  }

  /** Upgrades a request, or responds with the status of the check or limit that rejects it. */
  async upgrade(request: HttpRequest, upgrade: UpgradeRequest): Promise<Response> {
    const { subprotocol } = this.#side.sockets;
    const offered = String(request.headers["sec-websocket-protocol"] ?? "").split(",");
    const chosen = offered.some((name) => name.trim() === subprotocol) ? subprotocol : undefined;
    let response: Response | undefined;
    const refusal = await this.#admission.admit(request, this.#sockets.size, (onceInitialized) => {
      const socket = new FetchSocket(request, this.#side, {
        onceInitialized,
        onceClosed: () => this.#sockets.delete(socket),
      });
      this.#sockets.add(socket);
      try {
        response = upgrade(chosen, socket);
      } finally {
        if (response === undefined) this.#sockets.delete(socket);
      }
      return response !== undefined;
    });
    if (response !== undefined) return response;
    const { code, headers } = refusal ?? { code: "BAD_REQUEST" };
    return new Response(null, { status: ERROR_STATUS[code], headers: { "Cache-Control": "no-store", ...headers } });
  }
}
