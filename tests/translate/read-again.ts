import { runInThisContext } from "node:vm";
import type { GraphqlForm, NotExpressible, RestForm, Translation, TranslationSource } from "@bifocal/core";
import { type Operation, printOperation } from "@bifocal/core/operation";

/** The parts of an API that read a request again. */
export interface TranslatingApi {
  readonly translate: (source: Operation | TranslationSource) => Promise<readonly Translation[]>;
  readonly observe: (listener: (operation: Operation) => void) => () => void;
  readonly local: object;
}

export const STYLES = ["rest", "graphql", "client"] as const;
export type Style = (typeof STYLES)[number];

/** Prints an operation for comparisons. Styles differ in the form of inputs, and in whether a link returns its row. */
export function textOf(operation: Operation): string {
  const isBare = operation.kind === "link" || operation.kind === "unlink" || isValueOfAction(operation);
  const same = isBare ? { ...operation, selection: { fields: [], relations: [] } } : operation;
  return printOperation(same).replaceAll(/^( *)input (?:wire|value) /gm, "$1input ");
}

/** An action on the resource returns no row, so its selection has no meaning. */
function isValueOfAction(operation: Operation): boolean {
  return operation.kind === "act" && operation.key === undefined;
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
  return again.map(({ operation }) => textOf(operation)).join("\n");
}

/** Evaluates a client call against `api.local`, which has the same methods. It really runs. */
async function evaluate(api: TranslatingApi, code: string): Promise<string> {
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
  return seen.slice(0, 1).map(textOf).join("\n");
}

/** Anonymous callers may not run most writes. The operation was lowered before. */
function refuseUnlowered(seen: readonly Operation[], thrown: unknown): void {
  if (seen.length === 0) throw thrown;
}

function isStream(value: unknown): value is AsyncIterableIterator<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
