// graphql-jit on plain node:http. It compiles a document on its second use, because compiling costs more than executing
// it once.
import { createServer } from "node:http";
import { type DocumentNode, type ExecutionResult, execute, GraphQLError, parse, validate } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { ready } from "../src/ready.ts";
import { createKnown } from "./known.ts";
import { readJson } from "./read-json.ts";
import { createLoaders, createSchema } from "./schema.ts";

type Variables = Record<string, unknown>;
type Run = (variables: Variables) => ExecutionResult | Promise<ExecutionResult>;

const schema = createSchema();
const seen = createKnown<DocumentNode>();
const compiled = createKnown<Run>();

function compile(text: string, document: DocumentNode): Run {
  const query = compileQuery(schema, document, undefined, { disablingCapturingStackErrors: true });
  const run: Run = isCompiledQuery(query)
    ? (variables) => query.query(undefined, createLoaders(), variables)
    : () => query;
  compiled.set(text, run);
  return run;
}

function answer(text: string, variables: Variables): ExecutionResult | Promise<ExecutionResult> {
  const run = compiled.get(text);
  if (run !== undefined) return run(variables);
  const known = seen.get(text);
  if (known !== undefined) return compile(text, known)(variables);
  try {
    const document = parse(text);
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors };
    seen.set(text, document);
    return execute({ schema, document, contextValue: createLoaders(), variableValues: variables });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

const server = createServer((request, response) => {
  readJson(request, async (body) => {
    const { query, variables = {} } = body as { query: string; variables?: Variables };
    const text = JSON.stringify(await answer(query, variables));
    response
      .writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(text) })
      .end(text);
  });
}).listen(0, "127.0.0.1", () => ready(server));
