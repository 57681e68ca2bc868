import { fileURLToPath } from "node:url";
import { fetchHandler } from "@bifocal/fetch";
import { expect, test } from "vitest";
import { api } from "./access-api.ts";
import { createWorkplace } from "./run-bifocal.ts";

const MODULE = fileURLToPath(new URL("./access-api.ts", import.meta.url));
const handle = fetchHandler(api, { address: () => "127.0.0.1" });

async function readPage(path: string): Promise<string> {
  return (await handle(new Request(`http://host${path}`, { headers: { accept: "text/html" } }))).text();
}

/** The rows of the table of permissions, as lists of their cells without the rules. */
function tableOf(html: string): readonly (readonly string[])[] {
  const table = /<table class="access">.*?<\/table>/s.exec(html)?.[0] ?? "";
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) =>
      cell.replace(/<ul.*<\/ul>/s, "").replaceAll(/<[^>]*>/g, ""),
    ),
  );
}

test("the pages of resources show the table that their command prints", async () => {
  using place = createWorkplace();
  const pages = await Promise.all(["/-/schema/authors", "/-/schema/books"].map(readPage));
  const [, command = ""] = />npx bifocal (access [^<]+)</.exec(pages[0] ?? "") ?? [];
  expect(command).toBe("access --role admin --role editor --scope prices:read");
  const { code, out } = await place.run([...command.split(" "), "--api", MODULE]);
  expect(code).toBe(0);
  const printed =
    out
      .split("\n\n")[0]
      ?.split("\n")
      .map((line) => line.split(/ {2,}/)) ?? [];
  const [heads = [], ...lines] = printed;
  const shown = pages.map(tableOf);
  for (const [first = []] of shown) expect(first).toEqual(["Permission", ...heads.slice(1)]);
  expect(shown.flatMap((rows) => rows.slice(1))).toEqual(lines);
  expect(lines.length).toBeGreaterThan(9);
  const notes = out.match(/^\[\d+\] .*$/gm) ?? [];
  expect(notes).toEqual(['[1] ownerId eq "caller"']);
  expect(pages[1]).toContain("[1] <code>ownerId eq &quot;caller&quot;</code>");
});
