import { registerSchema, validate, type Validator } from "@hyperjump/json-schema/openapi-3-1";
import "@hyperjump/json-schema/draft-2020-12";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

type Content = Readonly<Record<string, { readonly schema?: object }>>;
interface Response {
  readonly content?: Content;
  readonly $ref?: string;
}
interface Operation {
  readonly parameters?: readonly { readonly name?: string; readonly style?: string }[];
  readonly responses: Readonly<Record<string, Response>>;
}
export interface Document {
  readonly openapi: string;
  readonly components: { readonly schemas: object; readonly responses: Readonly<Record<string, Response>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Answered {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly status: number;
  readonly type: string | null | undefined;
  readonly text: string;
}

let registered = 0;

/** Returns how a response differs from the document, or undefined if it matches. */
export function createDescribed(document: Document): (answer: Answered) => Promise<string | undefined> {
  const validators = new Map<object, Promise<Validator>>();

  /** A schema of the document, together with the schemas that it references. */
  function validatorOf(schema: object): Promise<Validator> {
    let validator = validators.get(schema);
    if (validator === undefined) {
      const alone = JSON.stringify({ $schema: DRAFT, ...schema, $defs: document.components.schemas });
      const id = `https://bookstore.example/${registered++}`;
      registerSchema(JSON.parse(alone.replaceAll("#/components/schemas/", "#/$defs/")), id);
      validator = validate(id);
      validators.set(schema, validator);
    }
    return validator;
  }

  return async ({ method, path, status, type, text }) => {
    const operation = document.paths[templateOf(document, path, method)]?.[method.toLowerCase()];
    // Static files of pages are not part of the API description.
    if (operation === undefined)
      return status >= 400 || path.startsWith("/-/") ? undefined : `${method} ${path} is not described.`;
    const range = `${String(status)[0]}XX`;
    const response =
      operation.responses[String(status)] ?? operation.responses[range] ?? operation.responses["default"];
    if (response === undefined) return `${method} ${path} does not describe ${status}.`;
    const content = contentOf(document, response);
    if (text === "") return undefined;
    const media = type?.split(";", 1)[0] ?? "";
    const described = content[media];
    if (described === undefined) return `${method} ${path} ${status} does not describe ${media}.`;
    if (described.schema === undefined || !media.endsWith("json") || media === "application/x-ndjson") return undefined;
    const output = (await validatorOf(described.schema))(JSON.parse(text) as never, "BASIC");
    return output.valid
      ? undefined
      : `${method} ${path} ${status}: ${text} is not as described: ${JSON.stringify(output)}`;
  };
}

/**
 * The documented path that matches a request. A static path takes precedence over one with a parameter, if it has
 * the method.
 */
function templateOf({ paths }: Document, path: string, method: string): string {
  const found = Object.keys(paths).filter((template) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  const fitting = found.filter((template) => paths[template]?.[method.toLowerCase()] !== undefined);
  return fitting.find((template) => template === path) ?? fitting[0] ?? found[0] ?? "";
}

function contentOf({ components }: Document, response: Response): Content {
  const name = response.$ref?.split("/").at(-1);
  return (name === undefined ? response : components.responses[name])?.content ?? {};
}
