import { expect } from "vitest";
import { WebSocket } from "ws";
import { type Case, type Place, runCatalogue } from "./harness.ts";

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

/** A socket of the protocol, its received messages, and its close code. */
function openSocket({ url }: Place, { protocol = "graphql-transport-ws", headers = {} } = {}) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, protocol, { headers, perMessageDeflate: true });
  const messages: Message[] = [];
  socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString()) as Message));
  socket.on("error", () => {});
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  const opened = new Promise<void>((resolve) => socket.once("open", resolve));
  const refused = new Promise<number | undefined>((resolve) =>
    socket.once("unexpected-response", (_, { statusCode }) => resolve(statusCode)),
  );
  const say = (message: object): void => socket.send(JSON.stringify(message));
  return { socket, messages, closed, opened, refused, say };
}

/** Opens an initialized WebSocket. */
async function signIn(place: Place, who = "alice"): Promise<ReturnType<typeof openSocket>> {
  const open = openSocket(place);
  await open.opened;
  open.say({ type: "connection_init", payload: { authorization: `Bearer ${who}` } });
  await expect.poll(() => open.messages[0]?.type, { interval: 10 }).toBe("connection_ack");
  open.messages.length = 0;
  return open;
}

/** Subscribes over a socket, and waits until the server has handled it. */
async function subscribe(open: ReturnType<typeof openSocket>, id: string, query: string): Promise<void> {
  open.say({ id, type: "subscribe", payload: { query } });
  open.say({ id: `after ${id}`, type: "subscribe", payload: { query: "{ __typename }" } });
  await expect.poll(() => open.messages.some((message) => message.id === `after ${id}`), { interval: 10 }).toBe(true);
  open.messages.length = 0;
}

/** Reads a REST event stream until `isEnough` returns true. */
async function readEvents(
  place: Place,
  headers: Readonly<Record<string, string>>,
  isEnough: (text: string) => boolean,
) {
  const controller = new AbortController();
  const response = await fetch(`${place.url}/tasks`, {
    headers: { authorization: "Bearer alice", accept: "text/event-stream", ...headers },
    signal: controller.signal,
  });
  let text = "";
  if (response.status === 200) {
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString();
      if (isEnough(text)) break;
    }
  }
  controller.abort();
  return { status: response.status, headers: response.headers, text };
}

const WATCH = "subscription { taskUpdated { id title } }";

const cases: readonly Case[] = [
  {
    id: "F01",
    title: "limits silent sockets, and keeps serving active ones",
    async run(place) {
      // Load all modules first, so that the thirty sockets really open at the same time.
      (await signIn(place)).socket.terminate();
      const silent = Array.from({ length: 30 }, () => openSocket(place));
      const refused = silent.map(({ refused: status, opened }) => Promise.race([status, opened.then(() => 101)]));
      const statuses = await Promise.all(refused);
      expect(statuses.filter((status) => status === 101).length).toBeLessThanOrEqual(20);
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10);
      // Each socket is closed because it doesn't initialize.
      const codes = await Promise.all(silent.filter((_, at) => statuses[at] === 101).map(({ closed }) => closed));
      expect(new Set(codes)).toEqual(new Set([4408]));
      const open = await signIn(place);
      open.socket.terminate();
    },
  },
  {
    id: "F02",
    title: "closes the socket with the protocol's codes for invalid messages and wrong order",
    async run(place) {
      const init = { type: "connection_init" };
      const ask = { id: "1", type: "subscribe", payload: { query: WATCH } };
      const known = { ...init, payload: { authorization: "Bearer alice" } };
      for (const [code, messages] of [
        [4401, [ask]],
        [4429, [init, init]],
        [4400, [{ type: "nothing" }]],
        [4400, ["{"]],
        [4400, ["[]"]],
        [4400, ['{"type":"connection_init","type":"ping"}']],
        [4400, ['{"type":"ping","payload":{"__proto__":{"polluted":1}}}']],
        [4400, [known, { ...ask, id: "" }]],
        [4400, [known, { ...ask, id: undefined }]],
        [4400, [known, { ...ask, id: 1 }]],
        [4400, [known, { ...ask, id: "x".repeat(129) }]],
        [4400, [known, { ...ask, id: "x".repeat(200_000) }]],
        [4400, [known, { id: "1", type: "subscribe" }]],
        [4403, [{ ...init, payload: { authorization: "Bearer nobody" } }]],
      ] as const) {
        const { socket, opened, closed } = openSocket(place);
        await opened;
        for (const message of messages) socket.send(typeof message === "string" ? message : JSON.stringify(message));
        expect([code, messages]).toEqual([await closed, messages]);
      }
      const open = await signIn(place);
      open.say(ask);
      open.say(ask);
      expect(await open.closed).toBe(4409);
    },
  },
  {
    id: "F03",
    title: "limits a message and its frames, and disables compression",
    async run(place) {
      const large = await signIn(place);
      large.say({ type: "ping", payload: { text: "x".repeat(262_144) } });
      expect(await large.closed).toBe(1009);
      const pieces = await signIn(place);
      for (let n = 0; n < 100; n++) pieces.socket.send(" ", { fin: false });
      expect(await pieces.closed).toBe(1008);
      const plain = await signIn(place);
      expect(plain.socket.extensions).toBe("");
      plain.socket.terminate();
    },
  },
  {
    id: "F04",
    title: "limits the operations and queued messages of a socket",
    async run(place) {
      const open = await signIn(place);
      for (let n = 0; n < 101; n++) open.say({ id: `${n}`, type: "subscribe", payload: { query: WATCH } });
      await expect.poll(() => open.messages.length).toBe(1);
      expect(open.messages[0]).toMatchObject({
        id: "100",
        type: "error",
        payload: [{ extensions: { code: "RATE_LIMITED" } }],
      });
      open.socket.terminate();
      const busy = await signIn(place);
      for (let n = 0; n < 300; n++) {
        busy.say({ id: `${n}`, type: "subscribe", payload: { query: WATCH } });
        busy.say({ id: `${n}`, type: "complete" });
      }
      expect(await busy.closed).toBe(1008);
    },
  },
  {
    id: "F05",
    title: "rejects a malformed upgrade, and stays alive",
    async run({ raw, url, ...place }) {
      const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
      const upgrade = ["Connection: Upgrade", "Upgrade: websocket"];
      const good = [...upgrade, key, "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: graphql-transport-ws"];
      for (const [what, headers] of [
        ["2,100 headers", [...good, ...Array.from({ length: 2_100 }, (_, n) => `X-${n}: 1`)]],
        ["101 headers", [...good, ...Array.from({ length: 101 }, (_, n) => `X-${n}: 1`)]],
        [
          "a protocol of white space",
          [...upgrade, key, "Sec-WebSocket-Version: 13", `Sec-WebSocket-Protocol: b${" ".repeat(15_000)}x`],
        ],
        ["the same protocol twice", [...good, "Sec-WebSocket-Protocol: graphql-transport-ws"]],
        ["another version", [...upgrade, key, "Sec-WebSocket-Version: 12"]],
        ["no version", [...upgrade, key]],
        ["no key", [...upgrade, "Sec-WebSocket-Version: 13"]],
        ["an invalid key", [...upgrade, "Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13"]],
        ["a prototype", [...good, "__proto__: x", "Sec-WebSocket-Key: y"]],
      ] as const) {
        const { replies } = await raw("GET /api/graphql", headers, "", { patience: 2_000 });
        expect([what, replies[0]?.status ?? 400]).toEqual([what, expect.toBeOneOf([400, 405, 426, 431])]);
      }
      const other = await raw("GET /api/tasks", good, "", { patience: 2_000 });
      expect(other.replies[0]?.status).not.toBe(101);
      const legacy = openSocket({ raw, url, ...place }, { protocol: "graphql-ws" });
      expect(await Promise.race([legacy.closed, legacy.refused])).toBeOneOf([400, 4406, 1006]);
    },
  },
  {
    id: "F10",
    title: "releases a subscription that ends early, however it ends",
    async run(place) {
      const { orgs } = place;
      const open = await signIn(place);
      for (let n = 0; n < 20; n++) {
        open.say({ id: "1", type: "subscribe", payload: { query: WATCH } });
        open.say({ id: "1", type: "complete" });
      }
      await subscribe(open, "2", WATCH);
      const dropped = await signIn(place, "bob");
      dropped.say({ id: "1", type: "subscribe", payload: { query: WATCH } });
      dropped.socket.terminate();
      orgs.calls.length = 0;
      await orgs.api.as(orgs.system).task.update("a2", { title: "F10" });
      await expect
        .poll(() => open.messages)
        .toMatchObject([{ id: "2", payload: { data: { taskUpdated: { id: "a2" } } } }]);
      open.socket.terminate();
      await open.closed;
    },
  },
  {
    id: "F11",
    title: "applies the same rules and limits to queries and mutations over a socket as over HTTP",
    async run(place) {
      const queries = [
        '{ project(id: "pb") { id } }',
        '{ project(id: "pa") { budget } }',
        "{ tasks { nodes { internalScore } } }",
        "{ tasks(first: 1000) { nodes { id } } }",
        `{ ${Array.from({ length: 40 }, (_, n) => `a${n}: __typename`).join(" ")} }`,
        'mutation { deleteProject(id: "pb") { deleted } }',
        'mutation { updateTask(id: "a1", input: { projectId: "pb" }) { id } }',
        'mutation { updateUser(id: "alice", input: { role: admin }) { id } }',
      ];
      const open = await signIn(place);
      for (const [at, query] of queries.entries()) {
        const { json } = await place.graphql("alice", query);
        open.say({ id: `${at}`, type: "subscribe", payload: { query } });
        await expect.poll(() => open.messages.some(({ id }) => id === `${at}`)).toBe(true);
        const { type, payload } = open.messages.find(({ id }) => id === `${at}`) ?? {};
        const answered = type === "error" ? { errors: payload } : payload;
        expect(withoutPlaces(answered)).toEqual(withoutPlaces(json));
      }
      open.socket.terminate();
    },
  },
  {
    id: "F12",
    title: "closes a socket that pings without end",
    async run(place) {
      // All in one burst: the ws library closes the socket before it can respond to every ping.
      const burst = await signIn(place);
      for (let n = 0; n < 1_000; n++) burst.socket.ping();
      expect([1006, 1008]).toContain(await burst.closed);
      // Sent one after another, each after the response to the previous one.
      const steady = await signIn(place);
      for (let n = 0; n < 2_000 && steady.socket.readyState === WebSocket.OPEN; n++) {
        const answered = new Promise((resolve) => steady.socket.once("pong", resolve));
        steady.socket.ping();
        await Promise.race([answered, steady.closed]);
      }
      expect(await steady.closed).toBe(1008);
      const messages = await signIn(place);
      for (let n = 0; n < 1_000; n++) messages.say({ type: "ping" });
      expect([1006, 1008]).toContain(await messages.closed);
    },
  },
  {
    id: "F13",
    title: "sends a reset for an invented event id, never a gap",
    async run(place) {
      for (const id of [
        "0",
        "-1",
        "1e18",
        "x",
        "AAAAAAAA.1",
        "AAAAAAAA.99999999999999999999",
        "a%0d%0ab",
        "9".repeat(8_000),
      ]) {
        const { status, text } = await readEvents(place, { "last-event-id": id }, (came) => came.includes("event:"));
        expect([id.slice(0, 20), status]).toEqual([id.slice(0, 20), 200]);
        expect(text).toContain("event: reset");
        expect(text).not.toContain('"b1"');
      }
      const { replies } = await place.raw("GET /api/tasks", [
        "Authorization: Bearer alice",
        "Accept: text/event-stream",
        `Last-Event-ID: ${"9".repeat(17_000)}`,
      ]);
      expect(replies[0]?.status).toBe(431);
    },
  },
  {
    id: "F15",
    title: "disables buffering in proxies, and spreads reconnections of a stream",
    async run(place) {
      const { headers, text } = await readEvents(place, {}, (came) => came.includes("\n\n"));
      expect([headers.get("x-accel-buffering"), headers.get("cache-control")]).toEqual(["no", "no-store"]);
      expect(text).toMatch(/^: open\nretry: [1-4]\d{3}\n\n$/);
    },
  },
  {
    id: "F16",
    title: "prevents values of a row from ending a line of an event",
    async run(place) {
      const { orgs } = place;
      const title = "x\n\ndata: forged\r\nid: forged\u2028\n\nevent: forged";
      const change = setTimeout(() => {
        void orgs.api.as(orgs.system).task.update("a3", { title });
      }, 150);
      const { text } = await readEvents(place, {}, (came) => came.includes("event: updated") && came.endsWith("\n\n"));
      clearTimeout(change);
      const [, event = ""] = text.split("\n\n");
      expect(event.split("\n").map((line) => line.split(":")[0])).toEqual(["id", "event", "data"]);
      expect(JSON.parse(event.slice(event.indexOf("data:") + 5))).toMatchObject({ title });
      await orgs.api.as(orgs.system).task.update("a3", { title: "Task a3" });
    },
  },
];

/** Removes the locations of errors, which both responses contain. */
function withoutPlaces(answered: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answered, (name, value: unknown) =>
      name === "locations" || name === "requestId" ? undefined : value,
    ),
  );
}

runCatalogue("sockets and streams", cases);
