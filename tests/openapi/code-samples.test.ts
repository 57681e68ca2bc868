import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createBookstore } from "@bifocal/example-bookstore/start";
import { allow, belongsTo, defineApi, defineResource, deny, hasMany, memoryStore, silentLog } from "@bifocal/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createShop } from "../equivalence/writes/shop.ts";
import { evaluate, type TranslatingApi, textOf } from "../translate/read-again.ts";

interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}
interface Sampled {
  readonly name: string;
  readonly samples: readonly Sample[];
}
interface DescribedApi extends TranslatingApi {
  readonly openapi: (prefix?: string, version?: "3.1" | "3.2", formats?: "json" | "all") => object;
}

const HOST = "https://api.example.com";
const run = promisify(execFile);

function sampled(api: DescribedApi, version: "3.1" | "3.2" = "3.1"): readonly Sampled[] {
  const { paths } = api.openapi("", version) as {
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, { readonly "x-codeSamples"?: readonly Sample[] }>>>
    >;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      method === "parameters"
        ? []
        : [{ name: `${method.toUpperCase()} ${path}`, samples: operation["x-codeSamples"] ?? [] }],
    ),
  );
}

/** Lets a shell split the command, and reads what curl would send. */
async function readCurl(
  command: string,
): Promise<{ method: string; url: string; headers: Record<string, string>; body?: unknown }> {
  const { stdout } = await run("sh", ["-c", `set -- ${command}; printf '%s\\0' "$@"`], {
    env: { API_KEY: "the-key" },
  });
  const [program, ...words] = stdout.split("\0").slice(0, -1);
  expect(program).toBe("curl");
  const headers: Record<string, string> = {};
  let method: string | undefined;
  let body: string | undefined;
  let url = "";
  while (words.length > 0) {
    const word = words.shift() ?? "";
    if (word === "-g") continue;
    if (!word.startsWith("-")) url = word;
    else if (word === "-X") method = words.shift();
    else if (word === "-d") body = words.shift();
    else if (word === "-H") {
      const [name = "", value = ""] = (words.shift() ?? "").split(": ");
      headers[name] = value;
    } else throw new Error(`Unknown option '${word}'.`);
  }
  expect(url.startsWith(HOST)).toBe(true);
  return {
    method: method ?? (body === undefined ? "GET" : "POST"),
    url: url.slice(HOST.length),
    headers,
    ...(body === undefined ? {} : { body: JSON.parse(body) as unknown }),
  };
}

function readGraphql(source: string): { readonly document: string; readonly variables?: Record<string, unknown> } {
  const [document = "", text] = source.split("\n\n# Variables\n");
  return text === undefined
    ? { document }
    : { document, variables: JSON.parse(text.replaceAll(/^# /gm, "")) as Record<string, unknown> };
}

async function operationOf(api: DescribedApi, { lang, source }: Sample): Promise<string> {
  if (lang === "TypeScript") {
    const code = source.replace(/^await /, "").replace(/;$/, "");
    return evaluate(api, code);
  }
  const [translation] = await api.translate(lang === "Shell" ? await readCurl(source) : readGraphql(source));
  return translation === undefined ? "" : textOf(api, translation.operation);
}

const APIS: readonly (readonly [string, () => DescribedApi])[] = [
  ["bookstore", () => createBookstore().api],
  ["shop", () => createShop(memoryStore(), undefined).api],
];

describe.each(APIS)("the code samples of the %s", (_, create) => {
  test("request the same operation in each style", { timeout: 120_000 }, async () => {
    const api = create();
    const counts = { Shell: 0, GraphQL: 0, TypeScript: 0 };
    for (const { name, samples } of sampled(api, "3.2").filter(({ name: path }) => !DOCUMENTS.has(path))) {
      const read = await Promise.all(samples.map((one) => operationOf(api, one)));
      expect(read.length).toBeGreaterThan(0);
      for (const one of read) expect(`${name}\n${one}`).toBe(`${name}\n${read[0]}`);
      for (const { lang } of samples) counts[lang as keyof typeof counts] += 1;
    }
    expect(counts.Shell).toBeGreaterThan(40);
    expect(counts.GraphQL / counts.Shell).toBeGreaterThan(0.8);
    expect(counts.TypeScript / counts.Shell).toBeGreaterThan(0.8);
  });

  test("are the same each time, and make the document at most 12 % larger", () => {
    const [first, second] = [create(), create()].map((api) => JSON.stringify(api.openapi()));
    expect(second).toBe(first);
    const without = JSON.stringify(JSON.parse(first ?? ""), (key, value: unknown) =>
      key === "x-codeSamples" ? undefined : value,
    );
    expect((first ?? "").length / without.length).toBeLessThan(1.12);
  });
});

const DOCUMENTS: ReadonlySet<string> = new Set(["GET /", "GET /client.json", "GET /openapi.json"]);

test("a sample has the prefix, and a variable for a credential that is needed", () => {
  const { api } = createBookstore();
  const { paths } = api.openapi("/api") as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly "x-codeSamples": readonly Sample[] }>>>>;
  };
  const sourceOf = (path: string, method: string): string => paths[path]?.[method]?.["x-codeSamples"][0]?.source ?? "";
  expect(sourceOf("/authors", "post")).toBe(
    [
      "curl",
      "-H 'Content-Type: application/json'",
      '-H "X-API-Key: $API_KEY"',
      `-d '{"name":"text","email":"ann@example.com","bio":"text","born":"2026-01-31"}'`,
      "'https://api.example.com/api/authors'",
    ].join(" \\\n  "),
  );
  expect(sourceOf("/authors", "get")).not.toContain("API_KEY");
  expect(sourceOf("/openapi.json", "get")).toBe("curl 'https://api.example.com/api/openapi.json'");
});

test("the sample of a create has the path of a relation that no caller can read", async () => {
  const parcel = defineResource("parcel", {
    fields: { id: z.int(), name: z.string() },
    relations: { damageReports: hasMany("report", "parcelId") },
    access: { read: allow, create: deny, update: deny, delete: deny },
  });
  const report = defineResource("report", {
    fields: { id: z.int(), text: z.string(), parcelId: z.int() },
    relations: { parcel: belongsTo("parcel", "parcelId") },
    access: { read: deny, create: allow, update: deny, delete: deny },
  });
  const api = defineApi({ resources: [parcel, report], store: memoryStore(), log: silentLog });
  const create = sampled(api).find(({ name }) => name === "POST /parcels/{id}/damage-reports");
  const shell = create?.samples.find(({ lang }) => lang === "Shell");
  const { url } = await readCurl(shell?.source ?? "");
  expect(url).toBe("/parcels/1/damage-reports");
});
