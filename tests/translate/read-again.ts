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
  const same = isBare ? { ...operation, selection: { fields: [], relations: [] } } : withoutDefaults(model, operation);
  return printOperation(same).replaceAll(/^( *)input (?:wire|value) /gm, "$1input ");
}

/** Some actions return no row, so their selection has no meaning. */
function isValueOfAction(model: Model, operation: Operation): boolean {
  if (operation.kind !== "act") return false;
  const { on, output } = model.resources.get(operation.resource)?.actions.get(operation.action) ?? {};
  return on !== "item" || output !== undefined;
}

/** GraphQL leaves out values of new rows that are the defaults, because its clients may send them unasked. */
function withoutDefaults(model: Model, operation: Operation): Operation {
  const { kind, resource } = operation;
  if (kind === "create") return { ...operation, input: newRow(model, resource, operation.input) };
  if (kind === "createMany")
    return { ...operation, inputs: operation.inputs.map((input) => newRow(model, resource, input)) };
  if (kind === "update" || kind === "replace" || kind === "updateMany")
    return { ...operation, input: newRelatedRows(model, resource, operation.input) };
  return operation;
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
      const first = result.next();
      await result.return?.();
      await first.catch(() => {});
    } else await (result as Promise<unknown>).catch((thrown: unknown) => refuseUnlowered(seen, thrown));
  } finally {
    stop();
  }
  return seen
    .slice(0, 1)
    .map((operation) => textOf(api, operation))
    .join("\n");
}

/** Anonymous callers may not run most writes. The operation was lowered before. */
function refuseUnlowered(seen: readonly Operation[], thrown: unknown): void {
  if (seen.length === 0) throw thrown;
}

function isStream(value: unknown): value is AsyncIterableIterator<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
