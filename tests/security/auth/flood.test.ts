import { type Authenticator, apiKeys, defineApi, defineResource, type KeyStore, silentLog } from "@bifocal/core";
import { oauth } from "@bifocal/jwt";
import { rateLimit } from "@bifocal/core/rate-limit";
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { closedWith, openSocket } from "./doors.ts";
import { seconds, sendJson, startServer } from "./issuer.ts";
import { ADAPTERS } from "./serve.ts";

const ISSUER = "https://id.example.com";
const RESOURCE = "https://api.example.com";
const ATTACKER = "203.0.113.9";
/** The duration of a lookup in milliseconds. */
const LOOKUP = 40;

/** Lookups of invalid credentials: current, maximum and total. */
const invalid = { now: 0, most: 0, all: 0 };
async function lookedUp<T>(isValid: boolean, found: T): Promise<T> {
  if (!isValid) {
    invalid.now += 1;
    invalid.all += 1;
    invalid.most = Math.max(invalid.most, invalid.now);
  }
  await sleep(LOOKUP);
  if (!isValid) invalid.now -= 1;
  return found;
}

const server = await startServer((request, response) => {
  let form = "";
  request.on("data", (part: Buffer) => (form += part.toString()));
  request.on("end", () => {
    const token = new URLSearchParams(form).get("token") ?? "";
    const active = token.startsWith("good");
    const claims = { active, sub: token, aud: RESOURCE, iss: ISSUER, exp: seconds() + 300 };
    void lookedUp(active, active ? claims : { active }).then((answer) => sendJson(response, answer));
  });
});
afterAll(() => server.close());

const introspected = (cache?: number): Authenticator =>
  oauth({
    issuer: ISSUER,
    resource: RESOURCE,
    introspection: {
      clientId: "api",
      clientSecret: "secret",
      url: `${server.url}/introspect`,
      ...(cache === undefined ? {} : { cache }),
    },
  });

const SECRET = "a".repeat(43);
const secretHash = createHash("sha256").update(SECRET).digest("base64url");
/** Keys are valid if their id starts with zeros. */
const keys: KeyStore = {
  get: async (id) => {
    const times = { createdAt: "2026-01-01T00:00:00Z", expiresAt: null, revokedAt: null, lastUsedAt: null };
    const who = { id, name: "key", principalId: id, roles: [], scopes: [] };
    const isValid = id.startsWith("0000");
    return lookedUp(
      isValid,
      isValid ? { ...who, ...times, previousUntil: null, secretHash, previousHash: null } : undefined,
    );
  },
  list: () => [],
  create: () => {},
  update: () => true,
};

interface Kind {
  readonly auth: () => Authenticator;
  readonly good: (n: number) => Readonly<Record<string, string>>;
  readonly bad: () => Readonly<Record<string, string>>;
}
const KINDS: Readonly<Record<string, Kind>> = {
  "introspected tokens": {
    auth: () => introspected(),
    good: (n) => ({ authorization: `Bearer good-${n}` }),
    bad: () => ({ authorization: `Bearer ${randomBytes(16).toString("hex")}` }),
  },
  "stored API keys": {
    auth: () => apiKeys({ store: keys }),
    good: (n) => ({ "x-api-key": `bk_0000${n.toString(16).padStart(16, "0")}_${SECRET}` }),
    bad: () => ({ "x-api-key": `bk_f${randomBytes(10).toString("hex").slice(1)}_${SECRET}` }),
  },
};
const LIMITERS = {
  "with a rate limit": () => rateLimit({ anonymousPoints: 60 }),
  "without a rate limit": () => false as const,
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  Object.assign(invalid, { now: 0, most: 0, all: 0 });
});

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: () => true, create: () => true, update: () => true, delete: () => true },
});

async function start(
  auth: Authenticator,
  limiter: keyof typeof LIMITERS,
  adapter: keyof typeof ADAPTERS = "node-http",
) {
  const rate = LIMITERS[limiter]();
  const api = defineApi({ resources: [note], auth, rateLimit: rate, trustedProxies: ["127.0.0.1"], log: silentLog });
  const served = await ADAPTERS[adapter](api);
  closing.push(served.close);
  return served.url;
}
async function ask(url: string, address: string, credential: Readonly<Record<string, string>>): Promise<number> {
  const response = await fetch(`${url}/notes`, { headers: { ...credential, "x-forwarded-for": address } });
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${response.status}: ${text}`);
  return response.status;
}

/** Sends invalid credentials, 100 at a time, until `count` have been sent or `stop` is called. */
function flood(url: string, { bad }: Kind, count: number, address: () => string = () => ATTACKER) {
  const statuses = new Map<number, number>();
  let left = count;
  let isOver = false;
  const one = async (): Promise<void> => {
    while (left > 0 && !isOver) {
      left -= 1;
      const status = await ask(url, address(), bad());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const done = Promise.all(Array.from({ length: 100 }, one));
  return { statuses, done, stop: () => (isOver = true) };
}

describe.each(Object.entries(KINDS))("a flood of %s", (_kind, kind) => {
  describe.each(Object.keys(LIMITERS) as (keyof typeof LIMITERS)[])("%s", (limiter) => {
    test.each(Object.keys(ADAPTERS) as (keyof typeof ADAPTERS)[])(
      "from one address delays no valid credential of another address, on %s",
      async (adapter) => {
        const url = await start(kind.auth(), limiter, adapter);
        const attack = flood(url, kind, 2_000);
        await sleep(100);
        const callers = Array.from({ length: 30 }, async (_, n) => ask(url, `198.51.100.${n}`, kind.good(n)));
        expect(await Promise.all(callers)).toEqual(Array.from({ length: 30 }, () => 200));
        expect(attack.statuses.size).toBeGreaterThan(0);
        await attack.done;
        expect(invalid.most).toBeLessThanOrEqual(16);
        expect(invalid.all).toBeGreaterThan(0);
        expect([401, 429]).toEqual(expect.arrayContaining([...attack.statuses.keys()]));
        // The address runs out of points. Lookups that were running or queued also count.
        expect(invalid.all).toBeLessThanOrEqual(limiter === "with a rate limit" ? 60 + 16 + 64 : 2_000);
      },
    );

    test("from one IPv6 network counts as one address", async () => {
      const url = await start(kind.auth(), limiter);
      const address = (): string =>
        `2001:db8:0:1:${randomBytes(8)
          .toString("hex")
          .replaceAll(/(.{4})(?!$)/g, "$1:")}`;
      const attack = flood(url, kind, 400, address);
      await sleep(100);
      const callers = Array.from({ length: 10 }, async (_, n) => ask(url, `2001:db8:${n + 1}::1`, kind.good(n)));
      expect(new Set(await Promise.all(callers))).toEqual(new Set([200]));
      await attack.done;
      expect(invalid.most).toBeLessThanOrEqual(16);
    });

    test("doesn't delay a credential of the same address that was valid before", async () => {
      const url = await start(kind.auth(), limiter);
      expect(await ask(url, ATTACKER, kind.good(7))).toBe(200);
      const attack = flood(url, kind, 100_000);
      const seen: number[] = [];
      for (let n = 0; n < 20; n += 1) {
        await sleep(20);
        seen.push(await ask(url, ATTACKER, kind.good(7)));
      }
      attack.stop();
      await attack.done;
      expect(new Set(seen)).toEqual(new Set([200]));
    });
  });
});

test("introspects a known token in a turn of its own while its address floods", async () => {
  const tokens = KINDS["introspected tokens"] as Kind;
  const url = await start(introspected(0.05), "with a rate limit");
  expect(await ask(url, ATTACKER, tokens.good(1))).toBe(200);
  const attack = flood(url, tokens, 100_000);
  const before = server.asked.length;
  const seen: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    await sleep(60);
    seen.push(await ask(url, ATTACKER, tokens.good(1)));
  }
  attack.stop();
  await attack.done;
  expect(new Set(seen)).toEqual(new Set([200]));
  expect(server.asked.length - before).toBeGreaterThanOrEqual(10);
});

test("keeps valid tokens cached when a client sends made-up tokens", async () => {
  const { answer } = server;
  const asked: string[] = [];
  server.answer = (request, response) => {
    request.resume().on("end", () => sendJson(response, { active: false }));
  };
  const auth = introspected();
  const tell = async (token: string): Promise<unknown> =>
    auth.authenticate({ headers: { authorization: `Bearer ${token}` } });
  try {
    server.answer = answer;
    await tell("good-1");
    server.answer = (request, response) => {
      asked.push("");
      request.resume().on("end", () => sendJson(response, { active: false }));
    };
    let count = 0;
    const one = async (): Promise<void> => {
      while (count < 10_500) {
        count += 1;
        await tell(`bad-${count}`).catch(() => {});
      }
    };
    await Promise.all(Array.from({ length: 32 }, one));
    expect(asked.length).toBeGreaterThan(10_000);
    await expect(tell("good-1")).resolves.toMatchObject({ principal: { id: "good-1" } });
  } finally {
    server.answer = answer;
  }
}, 60_000);

describe("an invalid credential costs its address a point", () => {
  const known = "0123456789012345678901234567";
  const auth = apiKeys({ [known]: { id: "ann" } });
  const wrong = { "x-api-key": "wrong" };

  test.each(Object.keys(ADAPTERS) as (keyof typeof ADAPTERS)[])("on %s, in REST and GraphQL", async (adapter) => {
    const url = await start(auth, "with a rate limit", adapter);
    const first = await fetch(`${url}/notes`, { headers: { ...wrong, "x-forwarded-for": ATTACKER } });
    expect([first.status, first.headers.get("ratelimit")]).toEqual([401, expect.stringMatching(/^"address";r=59;/)]);
    const graphql = (credential: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(`${url}/graphql?query={__typename}`, { headers: { ...credential, "x-forwarded-for": ATTACKER } });
    const second = await graphql(wrong);
    expect([second.status, second.headers.get("ratelimit")]).toEqual([401, expect.stringMatching(/^"address";r=58;/)]);
    for (let n = 0; n < 58; n += 1) expect(await ask(url, ATTACKER, wrong)).toBe(401);
    const refused = await graphql(wrong);
    expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    expect(await ask(url, ATTACKER, wrong)).toBe(429);
    expect(await ask(url, "198.51.100.1", wrong)).toBe(401);
    // A valid caller pays from its own points.
    expect(await ask(url, ATTACKER, { "x-api-key": known })).toBe(200);
  });

  test("on a WebSocket", async () => {
    const url = await start(auth, "with a rate limit");
    const codes: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      const opened = await openSocket(url, { "x-forwarded-for": ATTACKER }).catch(() => undefined);
      if (opened === undefined) break;
      const closed = closedWith(opened);
      opened.send('{"type":"connection_init","payload":{"apiKey":"wrong"}}');
      codes.push(await closed);
    }
    // Each socket and each credential costs a point.
    expect(codes).toEqual(Array.from({ length: 30 }, () => 4403));
    expect(await ask(url, ATTACKER, wrong)).toBe(429);
  });
});
