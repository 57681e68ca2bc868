import { servers, startTcpProxy, type TcpProxy, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ask, MAX, post, type Reply, startCounters, TIMEOUT, type Running } from "./counters.ts";
import { createOperator, type Operator } from "./operator.ts";

/**
 * Real servers behind a proxy that interrupts connections (SECURITY J01 to J07, S8). SQLite has no connection to
 * lose.
 */
const REMOTE = servers.filter(({ name }) => name !== "sqlite");

describe.each(REMOTE)("$name", ({ name, missing, create }) => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let app: Running;
  let operator: Operator;

  beforeAll(async () => {
    if (missing !== undefined) return;
    database = await create();
    const { hostname, port } = new URL(database.url);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    // The instances that start later find the tables.
    await (await startCounters(database.url)).close();
    operator = await createOperator(database.url, "counters");
  });
  afterAll(async () => {
    await operator?.close();
    await proxy?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    if (missing !== undefined) return;
    await database.empty();
    await proxy.accept();
    app = await startCounters(proxy.urlOf(database.url));
  });
  afterEach(async () => {
    if (missing === undefined) await app.close();
  });

  const read = (): Promise<Reply> => ask(app.base, "/counters");
  const recovers = async (): Promise<void> => {
    await expect.poll(async () => (await read()).status, { timeout: 4_000, interval: 100 }).toBe(200);
  };
  /** Checks that the API responds and that every connection of the pool is available. */
  const isWell = async (): Promise<void> => {
    proxy.flow();
    await proxy.accept();
    await recovers();
    const replies = await Promise.all(Array.from({ length: MAX + 1 }, read));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const made = await post(app.base, "/counters", { id: "after", n: 0 });
    expect(made.status).toBe(201);
    await expect.poll(() => operator.busy(), { timeout: 2_000 }).toBe(0);
  };
  /** Locks the table until the returned function is called, or the test ends. */
  const lock = async (): Promise<() => Promise<void>> => {
    const unlock = await operator.lock();
    let ended: Promise<void> | undefined;
    const unlockOnce = (): Promise<void> => (ended ??= unlock());
    onTestFinished(unlockOnce);
    return unlockOnce;
  };
  /** Every slot of the pool has a connection. */
  const fillPool = async (): Promise<void> => {
    const unlock = await lock();
    const reading = Array.from({ length: MAX }, read);
    await expect.poll(() => operator.busy()).toBe(MAX);
    await unlock();
    await Promise.all(reading);
  };
  const unavailable = ({ status, retryAfter, body }: Reply): void => {
    expect({ status, code: body["code"] }).toEqual({ status: 503, code: "UNAVAILABLE" });
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toMatch(/ECONN|pool|127\.0\.0\.1|Connection|postgres|mysql|socket/i);
  };
  const givenUp = ({ status, milliseconds }: Reply): void => {
    expect([503, 504]).toContain(status);
    expect(milliseconds).toBeLessThan(TIMEOUT + 1_000);
  };

  describe.skipIf(missing !== undefined)("faults", () => {
    test("J01: returns 503 with Retry-After if it isn't running at the start, and recovers without a restart", async () => {
      await app.close();
      await proxy.refuse();
      app = await startCounters(proxy.urlOf(database.url));
      expect((await ask(app.base, "/")).status).toBe(200);
      unavailable(await read());
      unavailable(await post(app.base, "/counters", { id: "a", n: 1 }));
      await proxy.accept();
      const start = performance.now();
      await recovers();
      expect(performance.now() - start).toBeLessThan(2_000);
      await isWell();
    });

    test("J02: recovers after an outage", async () => {
      expect((await read()).status).toBe(200);
      await proxy.refuse();
      for (let times = 0; times < MAX + 2; times++) unavailable(await read());
      unavailable(await post(app.base, "/counters", { id: "a", n: 1 }));
      await proxy.accept();
      expect((await read()).status).toBe(200);
      await isWell();
    });

    test("J02: recovers after connections are cut in the middle of statements", async () => {
      const unlock = await lock();
      const reading = [read(), read(), post(app.base, "/counters", { id: "a", n: 1 })];
      await expect.poll(() => operator.busy()).toBeGreaterThan(0);
      proxy.cut();
      for (const reply of await Promise.all(reading)) unavailable(reply);
      await unlock();
      await isWell();
    });

    test("J03: recovers after the server ends connections, idle and at work", async () => {
      await Promise.all([read(), read(), read()]);
      await operator.terminate();
      // The pool has noticed that an idle connection was ended, or the caller gets a 503.
      const first = await read();
      if (first.status !== 200) unavailable(first);
      const unlock = await lock();
      let areDone = true;
      let reading = Promise.resolve<Reply[]>([]);
      const readTwice = (): void => {
        areDone = false;
        reading = Promise.all([read(), read()]).finally(() => (areDone = true));
      };
      // Reads on connections that were just ended fail before they wait for the lock, so more of them follow.
      const busy = async (): Promise<number> => {
        if (areDone) {
          for (const reply of await reading) unavailable(reply);
          readTwice();
        }
        return operator.busy();
      };
      await expect.poll(busy, { interval: 20, timeout: 5_000 }).toBeGreaterThan(0);
      // A read whose idle connection was just ended may begin later than the other one.
      while (!areDone) {
        await operator.terminate();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      for (const reply of await reading) unavailable(reply);
      await unlock();
      await isWell();
    });

    test.each(["before", "after"] as const)(
      "I10: runs a retried key once when the connection is cut %s the server commits",
      async (when) => {
        expect((await read()).status).toBe(200);
        const headers = { "idempotency-key": `once-${when}` };
        // PostgreSQL creates a row with its event and receipt in one statement.
        proxy.cutAt(name === "postgres" ? "insert into" : "commit", when);
        const first = await post(app.base, "/counters", { id: "a", n: 1 }, headers);
        unavailable(first);
        const there = await operator.rows();
        expect(there).toEqual(when === "before" ? [] : [{ id: "a", n: 1 }]);
        const second = await post(app.base, "/counters", { id: "a", n: 1 }, headers);
        expect(second).toMatchObject({ status: 201, body: { id: "a", n: 1 } });
        expect(await operator.rows()).toEqual([{ id: "a", n: 1 }]);
        await isWell();
      },
    );

    test.each(["before", "after"] as const)(
      "I10: runs a retried update once when the connection is cut %s the server commits",
      async (when) => {
        expect((await post(app.base, "/counters", { id: "a", n: 1 })).status).toBe(201);
        const init = {
          method: "PATCH",
          headers: { "content-type": "application/json", "idempotency-key": `update-${when}` },
          body: JSON.stringify({ n: 2 }),
        };
        // The event of the create must be delivered first, which needs a transaction too.
        await app.close();
        app = await startCounters(proxy.urlOf(database.url));
        expect((await read()).status).toBe(200);
        proxy.cutAt("commit", when);
        unavailable(await ask(app.base, "/counters/a", init));
        expect(await operator.rows()).toEqual([{ id: "a", n: when === "before" ? 1 : 2 }]);
        expect(await ask(app.base, "/counters/a", init)).toMatchObject({ status: 200, body: { id: "a", n: 2 } });
        expect(await operator.rows()).toEqual([{ id: "a", n: 2 }]);
        await isWell();
      },
    );

    test("J06: gives up a stalled connection in time and frees its slot in the pool", async () => {
      await fillPool();
      proxy.stall();
      for (const reply of await Promise.all(Array.from({ length: MAX + 1 }, read))) givenUp(reply);
      givenUp(await post(app.base, "/counters", { id: "a", n: 1 }));
      // The stalled connections stay stalled, and new ones work.
      proxy.flowNew();
      await recovers();
      expect((await post(app.base, "/counters", { id: "b", n: 1 })).status).toBe(201);
      await isWell();
    });

    test("J05: cancels a long wait for a lock on the server as well", async () => {
      const unlock = await lock();
      const replies = [read(), post(app.base, "/counters", { id: "a", n: 1 })];
      await expect.poll(() => operator.busy()).toBeGreaterThan(0);
      for (const reply of await Promise.all(replies)) givenUp(reply);
      await expect.poll(() => operator.busy(), { timeout: 500, interval: 20 }).toBe(0);
      await unlock();
      expect(await operator.rows()).toEqual([]);
      await isWell();
    });

    test("J04: serves more callers than connections", async () => {
      const unlock = await lock();
      const replies = await Promise.all(Array.from({ length: MAX * 5 }, read));
      for (const reply of replies) givenUp(reply);
      // A request without the database succeeds, or is rejected for a short time because of overload.
      expect([200, 503]).toContain((await ask(app.base, "/")).status);
      await unlock();
      await isWell();
    });

    test("I12: loses no update of two writers of one row", async () => {
      await post(app.base, "/counters", { id: "a", n: 0 });
      const replies = await Promise.all(Array.from({ length: 12 }, () => post(app.base, "/counters/a/add", {})));
      const done = replies.filter(({ status }) => status === 200).length;
      expect(done).toBeGreaterThan(0);
      for (const reply of replies) if (reply.status !== 200) givenUp(reply);
      expect(await operator.rows()).toEqual([{ id: "a", n: done }]);
      await isWell();
    });

    test("J07: leaves a clean connection after a transaction fails or times out", async () => {
      for (const id of ["a", "b"]) await post(app.base, "/counters", { id, n: 0 });
      const failing = { first: "a", second: "nothing" };
      for (let times = 0; times < MAX * 2; times++) {
        expect((await post(app.base, "/counters/both", failing)).status).toBeGreaterThanOrEqual(400);
      }
      await expect.poll(() => operator.left(), { timeout: 2_000 }).toBe(0);
      const unlock = await lock();
      for (const reply of await Promise.all(
        [1, 2].map(() => post(app.base, "/counters/both", { first: "b", second: "a" })),
      )) {
        givenUp(reply);
      }
      await unlock();
      await expect.poll(() => operator.left(), { timeout: 2_000 }).toBe(0);
      expect(await operator.rows()).toEqual([
        { id: "a", n: 0 },
        { id: "b", n: 0 },
      ]);
      await isWell();
    });

    test.skipIf(name !== "postgres")(
      "J19: returns 503 for writes to a read-only copy, until it is writable",
      async () => {
        expect((await post(app.base, "/counters", { id: "a", n: 1 })).status).toBe(201);
        const readOnly = (how: string): Promise<unknown> =>
          operator.say(
            `do $$ begin execute format('alter database %I set default_transaction_read_only = ${how}', current_database()); end $$`,
          );
        await readOnly("on");
        await operator.terminate();
        await recovers();
        for (let times = 0; times < MAX + 1; times++) unavailable(await post(app.base, "/counters", { id: "b", n: 1 }));
        expect((await read()).status).toBe(200);
        await operator.say("set session characteristics as transaction read write");
        await readOnly("off");
        await operator.terminate();
        await recovers();
        expect(await operator.rows()).toEqual([{ id: "a", n: 1 }]);
        await isWell();
      },
    );

    test("J20: handles columns that are added, change their type and are dropped while requests run", async () => {
      await post(app.base, "/counters", { id: "a", n: 1 });
      const isAnswered = async (): Promise<void> => {
        for (let times = 0; times < MAX + 1; times++) {
          const reply = await ask(app.base, "/counters/a");
          if (reply.status !== 200) unavailable(reply);
        }
        expect((await ask(app.base, "/counters/a")).body).toEqual({ id: "a", n: 1 });
        expect((await read()).body).toEqual([{ id: "a", n: 1 }]);
      };
      await isAnswered();
      await operator.say("alter table counters add column secret varchar(20) default 'hidden'");
      await isAnswered();
      await operator.say(
        name === "postgres"
          ? "alter table counters alter column n type bigint"
          : "alter table counters modify n bigint",
      );
      await isAnswered();
      await operator.say(
        name === "postgres" ? "alter table counters alter column n type integer" : "alter table counters modify n int",
      );
      await operator.say("alter table counters drop column secret");
      await isAnswered();
      await isWell();
    });

    test("I16: completes two writers of two rows in opposite order", async () => {
      await app.close();
      // PostgreSQL checks for deadlocks after one second.
      app = await startCounters(database.url, 5_000);
      for (const id of ["a", "b"]) await post(app.base, "/counters", { id, n: 0 });
      for (let round = 0; round < 5; round++) {
        const pairs = [
          { first: "a", second: "b" },
          { first: "b", second: "a" },
        ];
        const replies = await Promise.all(pairs.map((pair) => post(app.base, "/counters/both", pair)));
        expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      }
      expect(await operator.rows()).toEqual([
        { id: "a", n: 10 },
        { id: "b", n: 10 },
      ]);
      await isWell();
    });
  });
});
