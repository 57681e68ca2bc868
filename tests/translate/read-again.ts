import { runInThisContext } from "node:vm";
import type { GraphqlForm, Model, NotExpressible, RestForm, Translation, TranslationSource } from "@bifocal/core";
import { type Operation, printOperation } from "@bifocal/core/operation";

/** The parts of an API that read a request again. */
export interface TranslatingApi {
  readonly translate: (source: Operation | TranslationSource) => Promise<readonly Translation[]>;
  readonly observe: (listener: (operation: Operation) => void) => () => void;
  readonly local: object;
  readonly model: Model;
}

export const STYLES = ["rest", "graphql", "client"] as const;
export type Style = (typeof STYLES)[number];

/**
 * Prints an operation for comparisons. Styles differ in the form of inputs, in whether a link returns its row, and in
 * whether new rows contain values that are the defaults.
 */
export function textOf({ model }: Pick<TranslatingApi, "model">, operation: Operation): string {
  const isBare = operation.kind === "link" || operation.kind === "unlink" || isValueOfAction(model, operation);
  const same = isBare ? { ...operation, selection: { fields: [], relations: [] } } : operation;
  return printOperation(inWireForm(withoutDefaults(model, same)) as Operation).replaceAll(
    /^( *)input (?:wire|value) /gm,
    "$1input ",
  );
}

/** Clients send large integers as text. */
function inWireForm(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(inWireForm);
  if (!isMembers(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inWireForm(one)]));
}

/** Some actions return no row, so their selection has no meaning. */
function isValueOfAction(model: Model, operation: Operation): boolean {
  if (operation.kind !== "act") return false;
  const { on, output } = model.resources.get(operation.resource)?.actions.get(operation.action) ?? {};
  return on !== "item" || output !== undefined;
}

/** GraphQL leaves out or adds values that are the defaults, because its clients may send them unasked. */
function withoutDefaults(model: Model, operation: Operation): Operation {
  const { kind, resource } = operation;
  if (kind === "create") return { ...operation, input: newRow(model, resource, operation.input) };
  if (kind === "createMany")
    return { ...operation, inputs: operation.inputs.map((input) => newRow(model, resource, input)) };
  if (operation.kind === "act") {
    const action = model.resources.get(resource)?.actions.get(operation.action);
    return { ...operation, input: parsed(action?.input, operation.input, operation.form) };
  }
  if ((operation.kind === "query" || operation.kind === "list") && operation.query !== undefined) {
    const { query } = operation;
    const { input } = model.resources.get(resource)?.queries.get(query.name) ?? {};
    return { ...operation, query: { ...query, input: parsed(input, query.input, query.form) } };
  }
  if (kind === "update" || kind === "replace" || kind === "updateMany")
    return { ...operation, input: newRelatedRows(model, resource, operation.input) };
  return operation;
}

type Form = Extract<Operation, { kind: "act" }>["form"];
interface Parser {
  readonly parse: (input: unknown, form: Form) => { readonly value: unknown } | { readonly issues: unknown };
}

/** Returns the input as the code of an action or query receives it. */
function parsed(parser: Parser | undefined, input: unknown, form: Form): unknown {
  const result = parser?.parse(input, form) ?? { value: input };
  return "value" in result ? result.value : input;
}

function newRow(model: Model, name: string, input: unknown): unknown {
  if (!isMembers(input)) return input;
  const { fields } = model.resources.get(name) ?? {};
  const given = Object.entries(input).filter(([field, value]) => {
    const standard = fields?.get(field)?.default;
    return standard === undefined || JSON.stringify(standard) !== JSON.stringify(value);
  });
  return newRelatedRows(model, name, Object.fromEntries(given));
}

/** Related rows are new in the input of a create, and in the `create` of other inputs. */
function newRelatedRows(model: Model, name: string, input: unknown): unknown {
  if (!isMembers(input)) return input;
  const rowsOf = (target: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((row) => newRow(model, target, row));
    if (!isMembers(value)) return value;
    if (!Array.isArray(value["create"])) return newRow(model, target, value);
    return { ...value, create: value["create"].map((row) => newRow(model, target, row)) };
  };
  const { relations } = model.resources.get(name) ?? {};
  const entries = Object.entries(input).map(([member, value]) => {
    const relation = relations?.get(member);
    return [member, relation === undefined ? value : rowsOf(relation.target, value)];
  });
  return Object.fromEntries(entries);
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isForm<Form extends object>(form: Form | NotExpressible): form is Form {
  return !("reason" in form);
}

/** Reads the form of a style again. Returns undefined if the style has none. */
export async function readAgain(
  api: TranslatingApi,
  translation: Translation,
  style: Style,
): Promise<string | undefined> {
  const form = translation[style];
  if (!isForm<typeof translation.rest | GraphqlForm | { code: string }>(form)) return undefined;
  if ("code" in form) return evaluate(api, form.code);
  const again = await api.translate(form as RestForm | GraphqlForm);
  return again.map(({ operation }) => textOf(api, operation)).join("\n");
}

/** Evaluates a client call against `api.local`, which has the same methods. It really runs. */
export async function evaluate(api: TranslatingApi, code: string): Promise<string> {
  const seen: Operation[] = [];
  const stop = api.observe((operation) => seen.push(operation));
  try {
    const call = runInThisContext(`(client) => ${code}`) as (client: object) => unknown;
    const result = call(api.local);
    if (isStream(result)) {
      // The engine rejects some streams that were lowered, such as those with a filter on computed fields.
      const first = result.next().catch((thrown: unknown) => refuseUnlowered(seen, thrown));
      await result.return?.().catch((thrown: unknown) => refuseUnlowered(seen, thrown));
      await first;
    } else await (result as Promise<unknown>).catch((thrown: unknown) => refuseUnlowered(seen, thrown));
  } finally {
    stop();
  }
  return seen
    .slice(0, 1)
    .map((operation) => textOf(api, operation))
    .join("\n");
}

/** Anonymous callers can run few writes. The operation was lowered before. */
function refuseUnlowered(seen: readonly Operation[], thrown: unknown): void {
  if (seen.length === 0) throw thrown;
}

function isStream(value: unknown): value is AsyncIterableIterator<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
