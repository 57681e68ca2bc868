import { expect } from "vitest";
import { bytes, type Case, codeOf, runCases, settle } from "./case.ts";
import type { Doors, Stream } from "./doors.ts";
import type { Who } from "./orgs.ts";

/** The same changes through every streaming door: GraphQL over both transports, and REST. */
async function watchTasks(doors: Doors, who: Who, on = "Updated"): Promise<readonly Stream[]> {
  const document = `subscription { task${on} { id title } }`;
  const streams = Object.values(doors.subscriptions).map((subscribe) => subscribe(who, document));
  streams.push(await doors.events(who, "/tasks"));
  await settle();
  return streams;
}

async function endAll(streams: readonly Stream[]): Promise<void> {
  await Promise.all(streams.map(async (stream) => stream.end()));
}

/** Without event ids, which are random and can contain any text. */
const textOf = ({ got }: Stream): string =>
  JSON.stringify(got, (name, value: unknown) => (name === "eventId" ? undefined : value));

const cases: readonly Case[] = [
  {
    id: "A22",
    title: "rejects a subscription to an unreadable resource, and sends no events of hidden rows",
    async run(place) {
      const { orgs } = place;
      const refused = await watchTasks(place, "anon");
      for (const stream of refused) expect(textOf(stream)).toContain("UNAUTHENTICATED");
      const alices = await watchTasks(place, "alice");
      const bobs = await watchTasks(place, "bob");
      await orgs.api.as(orgs.system).task.update("b1", { title: "new" });
      await orgs.api.as(orgs.system).task.create({ id: "b9", title: "new", projectId: "pb" });
      await settle();
      for (const stream of alices) expect(stream.got).toEqual([]);
      for (const stream of bobs) expect(textOf(stream)).toContain("b1");
      expect(refused.map(({ got }) => got.length)).toEqual([1, 1, 1]);
      await endAll([...refused, ...alices, ...bobs]);
    },
  },
  {
    id: "A23",
    title: "rejects a subscription with a filter by a hidden field",
    async run({ subscriptions, rest, events }) {
      const ask = async (subscribe: (who: Who, query: string) => Stream, name: string): Promise<string> => {
        const stream = subscribe("alice", `subscription { taskUpdated(filter: { ${name}: { gt: 9 } }) { id } }`);
        await settle();
        await stream.end();
        return textOf(stream).replaceAll(name, "…");
      };
      for (const subscribe of Object.values(subscriptions)) {
        const hidden = await ask(subscribe, "internalScore");
        expect(hidden).toEqual(await ask(subscribe, "unknownScore1"));
        expect(hidden).toContain("BAD_REQUEST");
      }
      const headers = { accept: "text/event-stream" };
      const path = (name: string): string => `/tasks?filter[${name}][gt]=9`;
      const one = await rest("alice", "GET", path("internalScore"), { headers });
      const other = await rest("alice", "GET", path("unknownScore1"), { headers });
      expect([one.status, bytes(one, "internalScore")]).toEqual([400, bytes(other, "unknownScore1")]);
      // A field that a rule hides is rejected before any event is sent.
      const budget = await events("alice", "/projects?filter[budget][gt]=9");
      expect(budget.got).toMatchObject([{ code: "FORBIDDEN" }]);
      await budget.end();
    },
  },
  {
    id: "A24",
    title: "checks rights again for each event, and sends nothing after they are lost",
    async run(place) {
      const { orgs } = place;
      const streams = await watchTasks(place, "alice");
      const tasks = orgs.api.as(orgs.system).task;
      await tasks.update("a1", { title: "one" });
      await settle();
      for (const stream of streams) expect(textOf(stream)).toContain("one");
      orgs.members.set("alice", "b");
      const before = streams.map(({ got }) => got.length);
      await tasks.update("a1", { title: "two" });
      await tasks.delete("a3");
      await settle();
      expect(streams.map(({ got }) => got.length)).toEqual(before);
      await tasks.update("b1", { title: "three" });
      await settle();
      for (const stream of streams) expect(textOf(stream)).toContain("three");
      orgs.members.delete("alice");
      await tasks.update("b1", { title: "four" });
      await settle();
      for (const stream of streams) expect(textOf(stream)).not.toContain("four");
      await endAll(streams);
    },
  },
  {
    id: "A25",
    title: "notifies only subscribers who saw the row when it is deleted or leaves the view, without values",
    async run(place) {
      const { orgs } = place;
      const alices = [...(await watchTasks(place, "alice", "Deleted")), ...(await watchTasks(place, "alice"))];
      const bobs = [...(await watchTasks(place, "bob", "Deleted")), ...(await watchTasks(place, "bob"))];
      const tasks = orgs.api.as(orgs.system).task;
      await tasks.delete("b1");
      await tasks.update("a1", { projectId: "pb", title: "moved", assigneeId: null });
      await settle();
      // Alice is notified that the first task left her view, if she subscribes to updates. She receives nothing
      // about the task that she never saw.
      const [ofSse, ofSocket, ofRest] = alices.slice(3);
      const gone = [{ data: null, errors: [{ extensions: { code: "NOT_FOUND", left: true, id: "a1" } }] }];
      await expect.poll(() => ofSse?.got).toMatchObject(gone);
      await expect.poll(() => ofSocket?.got).toMatchObject(gone);
      for (const rest of [alices[2], ofRest]) {
        await expect.poll(() => rest?.got).toEqual([{ event: "left", data: { id: "a1" } }]);
      }
      expect(alices.slice(0, 2).map(({ got }) => got)).toEqual([[], []]);
      for (const stream of alices) expect(textOf(stream)).not.toMatch(/b1|"pb"|"moved"|Task a1/);
      const text = bobs.map(textOf).join();
      expect(text).toContain("moved");
      expect(text).not.toContain("Task a1");
      expect(textOf(bobs[0] as Stream)).toContain('"b1"');
      await endAll([...alices, ...bobs]);
    },
  },
  {
    id: "A26",
    title: "sends each subscriber of one event the fields that it can read",
    async run({ subscriptions, orgs }) {
      const document = "subscription { projectUpdated { id name budget } }";
      const watch = Object.values(subscriptions).flatMap((subscribe) => [
        { sees: true, stream: subscribe("adminA", document) },
        { sees: false, stream: subscribe("alice", document) },
      ]);
      await settle();
      await settle();
      const projects = orgs.api.as(orgs.system).project;
      for (let index = 0; index < 100; index++)
        await projects.update("pa", { name: `name ${index}`, budget: 1_000 + index });
      await expect.poll(() => watch.map(({ stream }) => stream.got.length)).toEqual([100, 100, 100, 100]);
      for (const { sees, stream } of watch) {
        for (const result of stream.got as readonly {
          data: { projectUpdated: { name: string; budget: number | null } };
        }[]) {
          const { budget, name } = result.data.projectUpdated;
          expect(name).toMatch(/^name \d+$/);
          expect(typeof budget === "number").toBe(sees);
        }
      }
      await endAll(watch.map(({ stream }) => stream));
    },
  },
  {
    id: "A27",
    title: "sends no old values, and no event for a change of only hidden fields",
    async run(place) {
      const { orgs, rest, events, graphql } = place;
      const streams = await watchTasks(place, "alice");
      const users = await events("alice", "/users");
      const admins = await events("adminA", "/users");
      await settle();
      const system = orgs.api.as(orgs.system);
      await system.task.actions.score("a1");
      await system.user.update("adminA", { email: "new@a.example" });
      await system.task.update("a1", { title: "new" });
      await settle();
      for (const stream of streams) {
        expect(stream.got).toHaveLength(1);
        expect(textOf(stream)).not.toMatch(/internalScore|previous|before|Task a1/);
      }
      expect(users.got).toEqual([]);
      expect(textOf(admins)).toContain("new@a.example");
      await endAll([...streams, users, admins]);
      expect(codeOf(await graphql("alice", "subscription { taskUpdated { previous { title } } }"))).toBe("BAD_REQUEST");
      expect((await rest("alice", "GET", "/tasks?previous=true")).status).toBe(400);
    },
  },
];

runCases("events", cases);
