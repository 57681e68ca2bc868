import type { Principal, Translation, TranslationSource } from "@bifocal/core";
import { explainAccess, type ExplainedSql, explainSql, explainsSql } from "@bifocal/core/explain";
import { type Command, EXIT, textOf, UsageError, type Values } from "../command.ts";
import { type Io, print } from "../io.ts";
import { type LoadedApi, withApi } from "../load-api.ts";
import { API } from "../options.ts";
import { parsePrincipal } from "../parse-principal.ts";
import { printTranslation } from "../print-translation.ts";

export const translate: Command = {
  name: "translate",
  summary: "Print a REST request or a GraphQL document in the other styles",
  details: `bifocal translate 'GET /books?filter[price][lt]=20'
bifocal translate '{ books { nodes { title } } }'
bifocal translate 'PATCH /books/1 { "price": 5 }' --access --as 'ann={"id":"ann","roles":["editor"]}'

Nothing is run without --sql. URLs start below the prefix at which the API is mounted.`,
  args: ["<request>"],
  options: {
    api: API,
    variables: { type: "string", value: "<json>", description: "values of the variables of a GraphQL document" },
    access: { type: "boolean", description: "also print the rules that decide about the operation" },
    as: {
      type: "string",
      value: "<name>=<json>",
      description: "the principal for --access and --sql (default: anonymous)",
    },
    sql: {
      type: "boolean",
      description: "also run the operation and print its SQL statements; writes are rolled back",
    },
    json: { type: "boolean", description: "print JSON" },
  },
  run: ({ values, args: [request = ""], io }) => {
    const source = sourceOf(request, values);
    const as = textOf(values, "as");
    const principal = as === undefined ? null : parsePrincipal(as)[1];
    return withApi(io.folder, textOf(values, "api"), async (api) => {
      const found: Translated[] = [];
      for (const one of await api.translate(source)) {
        found.push({
          ...one,
          ...(values["access"] === true ? { access: await accessOf(api, principal, one) } : {}),
          ...(values["sql"] === true ? { sql: await sqlOf(api, principal, one) } : {}),
        });
      }
      print(io, values["json"] === true ? JSON.stringify(found, null, 2) : textOfAll(io, found));
      return EXIT.done;
    });
  },
};

interface Translated extends Translation {
  /** The rules that decide. */
  readonly access?: string;
  /** The statements that ran. */
  readonly sql?: ExplainedSql;
}

async function accessOf(api: LoadedApi, principal: Principal | null, { operation }: Translation): Promise<string> {
  return (await explainAccess(api, principal, operation)).text;
}

async function sqlOf(api: LoadedApi, principal: Principal | null, { operation }: Translation): Promise<ExplainedSql> {
  if (!explainsSql(api))
    throw new UsageError("--sql needs an API with one store, which is an sqlStore() of @bifocal/sql.");
  const caller: Parameters<LoadedApi["run"]>[1] = { principal, signal: undefined, requestId: () => "translate" };
  return explainSql(api, caller, operation, { writes: true });
}

/** REST and the client have one operation for each request. */
function textOfAll(io: Io, found: readonly Translated[]): string {
  const [first, ...others] = found;
  if (first === undefined || others.length === 0) return found.map((one) => textOfTranslated(io, one)).join("\n\n");
  const texts = found.map((one, index) => `${index + 1} of ${found.length}\n\n${textOfTranslated(io, one)}`);
  return [`This document has ${found.length} operations. REST and the client need a request for each.`, ...texts].join(
    "\n\n",
  );
}

function textOfTranslated({ out }: Io, { access, sql, ...translation }: Translated): string {
  const parts = [printTranslation(out, translation)];
  if (access !== undefined) parts.push(`Access\n${access}`);
  if (sql !== undefined) parts.push(`SQL\n${sql.text}`);
  return parts.join("\n\n");
}

function sourceOf(request: string, values: Values): TranslationSource {
  const text = textOf(values, "variables");
  if (text === undefined) return request;
  let variables: unknown;
  try {
    variables = JSON.parse(text);
  } catch {
    // Reported below, like any other value that isn't an object.
  }
  if (typeof variables === "object" && variables !== null && !Array.isArray(variables))
    return { document: request, variables: variables as Readonly<Record<string, unknown>> };
  throw new UsageError(`Invalid --variables '${text}'. Use a JSON object, for example --variables '{"first":5}'.`);
}
