import { principalFrom } from "@bifocal/core";
import fastifyCookie from "@fastify/cookie";
import fastifySession from "@fastify/session";
import type { Request } from "express";
import createSession, { MemoryStore } from "express-session";
import type { FastifyRequest } from "fastify";
import { IncomingMessage, ServerResponse } from "node:http";
import passport from "passport";
import { afterEach, describe, expect, test } from "vitest";
import { createCallers } from "./callers.ts";
import { atDoor, closedWith, DOORS, openSocket, type Seen } from "./doors.ts";
import { ADAPTERS, type Before, type Served } from "./serve.ts";

const SECRET = "a secret of the session that is long enough for all of them";
let served: Served;
afterEach(() => served.close());

/** Sends a request through every door with the cookie of a browser. */
async function seen(cookie: string | undefined): Promise<Readonly<Record<string, Seen>>> {
  const shown = cookie === undefined ? {} : { cookie };
  const doors = Object.entries(DOORS).filter(([door]) => !door.endsWith("connection_init"));
  return Object.fromEntries(await Promise.all(doors.map(async ([door, ask]) => [door, await ask(served.url, shown)])));
}
const everywhere = (who: Seen): Readonly<Record<string, Seen>> =>
  Object.fromEntries(
    Object.keys(DOORS)
      .filter((door) => !door.endsWith("connection_init"))
      .map((door) => [door, atDoor(door, who)]),
  );
async function signIn(): Promise<string> {
  const response = await fetch(`${served.url}/sign-in`, { method: "POST" });
  return response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "no cookie";
}

describe("a host that authenticates the caller", () => {
  test("works with Passport and its session on Express", async () => {
    const authenticator = new passport.Authenticator();
    authenticator.serializeUser((user, done) => done(null, user));
    authenticator.deserializeUser((user: Express.User, done) => done(null, user));
    const session = createSession({
      secret: SECRET,
      resave: false,
      saveUninitialized: false,
      store: new MemoryStore(),
    });
    const handlers = [session, authenticator.initialize(), authenticator.session()];
    const express: NonNullable<Before["express"]> = (app) => {
      for (const handler of handlers) app.use(handler);
      app.post("/sign-in", (request, response) => request.logIn({ id: "ann" }, () => response.sendStatus(204)));
      app.post("/sign-out", (request, response) => request.logOut(() => response.sendStatus(204)));
    };
    // The host's middleware doesn't run for WebSocket upgrades, so run it here.
    const userOf = async (request: Request): Promise<Express.User | undefined> => {
      if (!("app" in request)) {
        const response = new ServerResponse(new IncomingMessage((request as Request).socket));
        for (const handler of handlers) {
          await new Promise((resolve) => handler(request, response, resolve));
        }
      }
      return request.user;
    };
    const auth = principalFrom(async (request: Request) => {
      const user = (await userOf(request)) as { readonly id: string } | undefined;
      return user === undefined ? null : { id: user.id, roles: ["reader"] };
    });
    served = await ADAPTERS.express(createCallers(auth), { express });
    const cookie = await signIn();
    expect(await seen(undefined)).toEqual(everywhere("nobody"));
    expect(await seen(cookie)).toEqual(everywhere("ann"));
    expect(await seen(cookie.replace(/.{8}$/, "AAAAAAAA"))).toEqual(everywhere("nobody"));
    // H16: an ended session is rejected.
    await fetch(`${served.url}/sign-out`, { method: "POST", headers: { cookie } });
    expect(await seen(cookie)).toEqual(everywhere("nobody"));
  });

  test("works on Fastify with a session and a hook that sets the user", async () => {
    const sessions = new Map<string, { readonly user: string }>();
    const store = {
      get: (id: string, done: (error: null, session: never) => void) => done(null, (sessions.get(id) ?? null) as never),
      set: (id: string, session: object, done: () => void) => {
        sessions.set(id, JSON.parse(JSON.stringify(session)) as { readonly user: string });
        done();
      },
      destroy: (id: string, done: () => void) => {
        sessions.delete(id);
        done();
      },
    };
    let unsign: (cookie: string) => string | undefined = () => undefined;
    const fastify: NonNullable<Before["fastify"]> = async (app) => {
      await app.register(fastifyCookie);
      await app.register(fastifySession, {
        secret: SECRET,
        cookie: { secure: false },
        store,
        saveUninitialized: false,
      });
      app.post("/sign-in", async (request, reply) => {
        request.session.set("user" as never, "ann" as never);
        await request.session.save();
        return reply.code(204).send();
      });
      unsign = (cookie) => {
        const value = app.parseCookie(cookie)["sessionId"];
        const { valid, value: id } = fastifyCookie.unsign(value ?? "", SECRET);
        return valid && id !== null ? sessions.get(id)?.user : undefined;
      };
    };
    const auth = principalFrom((request: FastifyRequest | IncomingMessage) => {
      // For a WebSocket, the request is Node's, and the session store has the user.
      const user = request instanceof IncomingMessage ? unsign(request.headers.cookie ?? "") : userOf(request);
      return user === undefined ? null : { principal: { id: user }, recheck: () => sessions.size > 0 };
    });
    served = await ADAPTERS.fastify(createCallers(auth), { fastify });
    const cookie = await signIn();
    expect(await seen(undefined)).toEqual(everywhere("nobody"));
    expect(await seen(cookie)).toEqual(everywhere("ann"));
    // H16: an ended session closes its connections.
    const socket = await openSocket(served.url, { cookie });
    socket.send('{"type":"connection_init"}');
    const closed = closedWith(socket);
    await new Promise((resolve) => socket.once("message", resolve));
    sessions.clear();
    expect(await closed).toBe(4401);
    expect(await seen(cookie)).toEqual(everywhere("nobody"));
  });

  test("uses a host that reads Authorization, if `headers` lists it", async () => {
    const express: NonNullable<Before["express"]> = (app) => {
      app.use((request, _response, next) => {
        if (request.headers.authorization === "Ticket blue") Object.assign(request, { user: { id: "ann" } });
        next();
      });
    };
    const auth = principalFrom((request: Request) => (request.user as { readonly id: string } | undefined) ?? null, {
      headers: ["Authorization"],
      challenge: "Ticket",
      schemes: { ticket: { type: "http", scheme: "ticket" } },
    });
    served = await ADAPTERS.express(createCallers(auth), { express });
    expect(await DOORS["REST"]?.(served.url, { authorization: "Ticket blue" })).toBe("ann");
    expect(await DOORS["REST"]?.(served.url, { authorization: "Ticket red" })).toBe(401);
    const refused = await fetch(`${served.url}/callers`, { headers: { authorization: "Ticket red" } });
    expect(refused.headers.get("www-authenticate")).toBe("Ticket");
  });
});

function userOf(request: FastifyRequest): string | undefined {
  return request.session.get("user" as never);
}
