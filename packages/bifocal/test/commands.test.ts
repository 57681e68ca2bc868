import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { runCli } from "../src/cli.ts";
import { createWorkplace, FIXTURE } from "./run-bifocal.ts";

const API = ["--api", FIXTURE];

class Text extends Writable {
  text = "";
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

describe("usage", () => {
  test.each([
    { args: ["--help"], code: 0, out: /^bifocal <command> \[options\]\n\n {2}db plan/ },
    { args: ["--version"], code: 0, out: /^\d+\.\d+\.\d+\n$/ },
    { args: ["db", "plan", "--help"], code: 0, out: /^bifocal db plan \[options\]\n[\s\S]*--allow-destructive {2}/ },
    { args: ["db", "--help"], code: 0, out: /^bifocal db <command> \[options\]\n\n {2}db plan {3}Create/ },
    { args: ["keys", "revoke", "-h"], code: 0, out: /^bifocal keys revoke <id> \[options\]/ },
    { args: [], code: 2, err: /^bifocal <command>/ },
    { args: ["db"], code: 2, err: /^bifocal db <command>/ },
    { args: ["help", "db", "plan"], code: 0, out: /^bifocal db plan \[options\]\n/ },
    { args: ["help", "sdl"], code: 0, out: /^bifocal sdl \[options\]\n/ },
    { args: ["help", "db"], code: 0, out: /^bifocal db <command> \[options\]\n/ },
    {
      args: ["migrate"],
      code: 2,
      err: /^error: Unknown command 'migrate'\.\n\nbifocal <command> \[options\]\n\n {2}db plan/,
    },
    { args: ["acess"], code: 2, err: /^error: Unknown command 'acess'\. Did you mean 'access'\?\n\nbifocal <command>/ },
    { args: ["db", "aply"], code: 2, err: /^error: Unknown command 'db aply'\. Did you mean 'db apply'\? Available: / },
    { args: ["routes", ...API], code: 0, out: /^ {2}\/graphql +GET, [\s\S]*\n {2}\/books\/\{id\} +GET, HEAD, PUT/ },
    {
      args: ["db", "push"],
      code: 2,
      err: /^error: Unknown command 'db push'\. Available: db plan, db apply, db check\./,
    },
    {
      args: ["sdl", "--nope"],
      code: 2,
      err: /^error: Unknown option '--nope'\. Run bifocal sdl --help for usage\.\n$/,
    },
    {
      args: ["sdl", "twice"],
      code: 2,
      err: /^error: Unexpected argument 'twice'\. Run bifocal sdl --help for usage\.\n$/,
    },
    {
      args: ["keys", "revoke"],
      code: 2,
      err: /^error: Missing argument <id>\. Run bifocal keys revoke --help for usage\.\n$/,
    },
    { args: ["sdl"], code: 2, err: /^error: No API module found .* Pass --api <module>/ },
    { args: ["sdl", "--api", "no.ts"], code: 2, err: /^error: API module 'no\.ts' not found in / },
    { args: ["keys", "create", ...API], code: 2, err: /error: Missing option --name\. Example: --name "CI"\n$/ },
    {
      args: ["openapi", ...API, "--openapi-version", "2.0"],
      code: 2,
      err: /Unsupported --openapi-version '2\.0'\. Supported: 3\.1, 3\.2\./,
    },
    { args: ["access", ...API, "--as", "ann"], code: 2, err: /error: Invalid principal in --as 'ann'/ },
    { args: ["translate", ...API], code: 2, err: /error: Missing argument <request>/ },
    { args: ["translate", ...API, "hello"], code: 1, err: /error: Expected a REST request such as 'GET \/books/ },
    { args: ["translate", ...API, "GET /books?filter[titel]=Emma"], code: 1, err: /error: .*titel.*Available: title/ },
    { args: ["translate", ...API, "{ boks { nodes { id } } }"], code: 1, err: /error: .*boks.*Did you mean/ },
    {
      args: ["translate", ...API, "{ books { nodes { id } } }", "--variables", "5"],
      code: 2,
      err: /error: Invalid --variables '5'\. Use a JSON object/,
    },
    {
      args: ["keys", "create", ...API, "--expires", "soon"],
      code: 2,
      err: /error: Invalid expiry in --expires 'soon'. Use 90d, 12h, a date such as 2027-01-31, or never./,
    },
  ])("bifocal $args", async ({ args, code, out = /^$/, err = /^$/ }) => {
    using place = createWorkplace();
    // These commands run in this process, because they never reach a database.
    const [printed, told] = [new Text(), new Text()];
    const ended = {
      code: await runCli(args, { folder: place.folder, out: printed, err: told }),
      out: printed.text,
      err: told.text,
    };
    expect(ended).toEqual({ code, out: expect.stringMatching(out), err: expect.stringMatching(err) });
  });
});

describe("the module of the API", () => {
  test("is found through package.json, and its output is separate from the command's", async () => {
    using place = createWorkplace();
    writeFileSync(join(place.folder, "package.json"), JSON.stringify({ bifocal: { api: FIXTURE } }));
    const { code, out, err } = await place.run(["sdl"]);
    expect(code).toBe(0);
    expect(out.startsWith("type ApiKey {\n")).toBe(true);
    expect(err).toBe("an application that prints while it is loaded\n");
  });

  test("is found in a default place, and an error reports a module without an API", async () => {
    using place = createWorkplace();
    writeFileSync(join(place.folder, "api.mjs"), "export const app = 1;\n");
    const { code, err } = await place.run(["sdl"]);
    expect(code).toBe(2);
    expect(err).toContain("doesn't export an API. Export the result of defineApi() as `api` or as default.");
  });

  test("fails with exit code 1 if it throws", async () => {
    using place = createWorkplace();
    writeFileSync(join(place.folder, "api.mjs"), "throw new Error('book.fields: The resource has no fields.');\n");
    const { code, err } = await place.run(["sdl"]);
    expect(code).toBe(1);
    expect(err).toContain("book.fields: The resource has no fields.");
  });

  test("is loaded without opening a store", async () => {
    using place = createWorkplace({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/nowhere" });
    const { code, out } = await place.run(["openapi", ...API, "--prefix", "/api"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ openapi: "3.1.1", servers: [{ url: "/api" }] });
    const check = await place.run(["db", "check", ...API]);
    expect(check.code).toBe(1);
    expect(check.err).toMatch(/error: .*ECONNREFUSED/);
  });
});

test("plans, applies and checks on a SQLite file", async () => {
  using place = createWorkplace();
  const first = await place.run(["db", "plan", ...API]);
  expect(first).toMatchObject({ code: 0, out: "migrations/0001_create_authors_books_api_keys.sql\n" });
  expect(existsSync(join(place.folder, "fixture.db"))).toBe(true);
  const waiting = await place.run(["db", "check", ...API]);
  expect(waiting.code).toBe(1);
  expect(waiting.out).toContain("0001_create_authors_books_api_keys.sql is pending.\n");
  expect(waiting.out).toContain("\nschema drift: create table books\n");
  const early = await place.run(["db", "plan", ...API]);
  expect(early).toMatchObject({ code: 1, err: expect.stringContaining("Apply the pending migrations first") });
  const applied = await place.run(["db", "apply", ...API]);
  expect(applied).toMatchObject({ code: 0, out: "applied 0001_create_authors_books_api_keys.sql\n" });
  expect(await place.run(["db", "check", ...API])).toMatchObject({ code: 0, out: "" });

  const isbn = { BOOKS_HAVE_ISBN: "1" };
  const more = await place.run(["db", "plan", ...API, "--name", "ISBN of books"], isbn);
  expect(more).toMatchObject({ code: 0, out: "migrations/0002_isbn_of_books.sql\n" });
  expect(readFileSync(join(place.folder, "migrations/0002_isbn_of_books.sql"), "utf8")).toContain(
    '-- add column books.isbn\nalter table "books" add column "isbn" text;\n',
  );
  await place.run(["db", "apply", ...API], isbn);
  expect(await place.run(["db", "check", ...API], isbn)).toMatchObject({ code: 0 });

  const refused = await place.run(["db", "plan", ...API]);
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain(
    "! rebuild table books: drop column isbn\n    destructive: isbn: deletes the data in this column\n",
  );
  expect(readdirSync(join(place.folder, "migrations"))).toHaveLength(2);
  const allowed = await place.run(["db", "plan", ...API, "--allow-destructive", "--name", "no_isbn"]);
  expect(allowed.code).toBe(0);
  const held = await place.run(["db", "apply", ...API]);
  expect(held).toMatchObject({ code: 1, out: "" });
  expect(held.err).toContain(
    "error: 0003_no_isbn.sql is destructive. Review it, then apply it with --allow-destructive:",
  );
  const done = await place.run(["db", "apply", ...API, "--allow-destructive"]);
  expect(done).toMatchObject({ code: 0, out: "applied 0003_no_isbn.sql\n" });
  expect(await place.run(["db", "check", ...API])).toMatchObject({ code: 0 });

  writeFileSync(join(place.folder, "migrations/0002_isbn_of_books.sql"), "select 1;\n");
  const changed = await place.run(["db", "apply", ...API]);
  expect(changed.code).toBe(1);
  expect(changed.err).toContain("0002_isbn_of_books.sql was changed after it was applied.");
}, 60_000);

test("creates, lists, rotates and revokes keys", async () => {
  using place = createWorkplace();
  await place.run(["db", "plan", ...API]);
  await place.run(["db", "apply", ...API]);
  const made = await place.run([..."keys create --name CI --principal ann --scope a --scope b".split(" "), ...API]);
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^bk_[0-9a-f]{20}_[\w-]{43}\n$/) });
  const [, id = "", secret = ""] = /^bk_([^_]+)_(.+)$/.exec(made.out.trim()) ?? [];
  const listed = await place.run(["keys", "list", ...API, "--json"]);
  expect(JSON.parse(listed.out)).toMatchObject([{ id, name: "CI", principalId: "ann", scopes: ["a", "b"] }]);
  const shown = await place.run(["keys", "list", ...API]);
  expect(shown.out).toMatch(new RegExp(`^id .*\\n${id} +CI +ann +- +a b .* valid until `));
  const rotated = await place.run(["keys", "rotate", id, ...API, "--overlap", "1h", "--expires", "never"]);
  expect(rotated).toMatchObject({ code: 0, out: expect.stringMatching(`^bk_${id}_`) });
  expect(rotated.err).toContain("never expires");
  const revoked = await place.run(["keys", "revoke", id, ...API]);
  expect(revoked).toMatchObject({ code: 0, out: expect.stringMatching(`^revoked ${id} \\(CI\\) `) });
  const again = await place.run(["keys", "rotate", id, ...API]);
  expect(again).toMatchObject({
    code: 1,
    err: expect.stringContaining("error: The API key was revoked. Create a new one."),
  });
  expect(`${listed.out}${shown.out}${revoked.out}`).not.toContain(secret);
}, 60_000);

test("prints a table of rights", async () => {
  using place = createWorkplace();
  const { code, out } = await place.run(["access", ...API, "--as", 'ann={"id":"ann"}']);
  expect(code).toBe(0);
  expect(out).toMatch(/^ +anonymous +signed in +ann\n/);
  expect(out).toMatch(/^read apiKey +no +where \[1\] +where \[2\]$/m);
});
