import type { Translation } from "@bifocal/core";
import { createBookstore } from "@bifocal/example-bookstore/start";
import { KEYS } from "../../bookstore/stores.ts";
import { readMessage } from "../read-message.ts";

const BEGIN = "<details><summary>The same in GraphQL and TypeScript</summary>\n";
const END = "\n</details>";

const MAX_LINE = 110;

/** A request in REST, and the place for the other styles below it. */
const REQUEST = new RegExp(`(\`\`\`http\\n(?:(?!^\`\`\`)[\\s\\S])*?^\`\`\`\\n\\n)${BEGIN}[\\s\\S]*?^</details>`, "gm");

/** Returns the page with each marked request of REST translated. */
export async function writeRequests(page: string): Promise<string> {
  const found = [...page.matchAll(REQUEST)];
  if (found.length === 0) return page;
  const { api } = createBookstore({ keys: KEYS });
  let written = page;
  for (const [whole, request = ""] of found) {
    const { method, path, headers, content } = readMessage(request.replace(/^```http\n/, "").replace(/```\s*$/, ""));
    const body = content === "" ? {} : { body: JSON.parse(content) as unknown };
    const [translation] = await api.translate({ method, url: path, headers, ...body });
    if (translation === undefined) throw new Error(`${method} ${path} has no translation.`);
    written = written.replace(whole, () => request + BEGIN + blocks(translation) + END);
  }
  await api.close();
  return written;
}

function blocks({ graphql, client }: Translation): string {
  const parts: string[] = [];
  if (!("reason" in graphql)) {
    const { document, variables } = graphql;
    const text = JSON.stringify(variables, null, 2);
    const line = text.replaceAll(/\n */g, " ");
    const values = (line.length <= MAX_LINE ? line : text).replaceAll(/^/gm, "# ");
    parts.push(fenced("graphql", line === "{}" ? document : `${document}\n\n# Variables\n${values}`));
  }
  if (!("reason" in client)) parts.push(fenced("typescript", `await ${client.code};`));
  return parts.join("");
}

function fenced(language: string, text: string): string {
  return `\n\`\`\`${language}\n${text}\n\`\`\`\n`;
}
