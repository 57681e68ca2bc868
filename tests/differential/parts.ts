import type { AnyResource, Api, Principal } from "@bifocal/core";
import fc from "fast-check";
import { type DirectiveNode, Kind, parse, print, type SelectionNode, type SelectionSetNode, visit } from "graphql";
import { request } from "@bifocal/test-servers/request";

/** One part of an incremental response: the first has the data, the others what to add. */
export interface Payload {
  readonly data?: unknown;
  readonly errors?: readonly object[];
  readonly pending?: readonly { readonly id: string; readonly path: readonly (string | number)[] }[];
  readonly incremental?: readonly Increment[];
  readonly completed?: readonly { readonly id: string; readonly errors?: readonly object[] }[];
  readonly hasNext?: boolean;
}

interface Increment {
  readonly id?: string;
  readonly subPath?: readonly (string | number)[];
  /** For formats without ids. */
  readonly path?: readonly (string | number)[];
  readonly data?: object | null;
  readonly items?: readonly unknown[] | null;
  readonly errors?: readonly object[];
}

export const choices = fc.array(fc.nat(11), { minLength: 6, maxLength: 40 });

/** The same document with parts deferred and lists streamed, as drawn. */
export function inParts(query: string, chosen: readonly number[], withStreams: boolean): string {
  let at = 0;
  const next = (): number => chosen[at++ % chosen.length] ?? 0;
  const defer: DirectiveNode = { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: "defer" } };
  const deferred = (selection: SelectionNode): SelectionNode => {
    const choice = next();
    if (selection.kind === Kind.FIELD) {
      const isList = selection.name.value === "nodes" || selection.name.value === "edges";
      if (isList && withStreams && choice < 5) {
        return { ...selection, directives: [...(selection.directives ?? []), stream(choice)] };
      }
      if (choice > 3) return selection;
      const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [selection] };
      return { kind: Kind.INLINE_FRAGMENT, directives: [defer], selectionSet };
    }
    return choice > 6 ? selection : { ...selection, directives: [...(selection.directives ?? []), defer] };
  };
  return print(
    visit(parse(query), {
      SelectionSet: { leave: (node) => ({ ...node, selections: node.selections.map(deferred) }) },
    }),
  );
}

function stream(initialCount: number): DirectiveNode {
  const document = parse(`{ nodes @stream(initialCount: ${initialCount}) }`);
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error("It is an operation.");
  return definition.selectionSet.selections[0]?.directives?.[0] as DirectiveNode;
}

/** The payloads of a response; only one if nothing was deferred. */
export async function askInParts<All extends AnyResource>(
  api: Api<All>,
  asked: { readonly query: string; readonly variables: object },
  principal: Principal | null,
  accept = "multipart/mixed",
): Promise<readonly Payload[]> {
  const headers = { accept, ...(principal === null ? {} : { authorization: `Bearer ${principal.id}` }) };
  const response = await api.handle(request("POST", "/graphql", { headers, body: asked }));
  const answered = response?.body;
  if (typeof answered === "string") return [JSON.parse(answered) as Payload];
  let text = "";
  for await (const piece of answered as AsyncIterable<string>) text += piece;
  return text
    .split(/\r\n---(?:--)?\r\n/)
    .filter((part) => part !== "")
    .map((part) => JSON.parse(part.slice(part.indexOf("\r\n\r\n"))) as Payload);
}

/** The result after all parts have been merged. */
export function merge(payloads: readonly Payload[]): { readonly data: unknown; readonly errors: readonly object[] } {
  const [first] = payloads;
  const data = first?.data;
  const errors = [...(first?.errors ?? [])];
  const paths = new Map<string, readonly (string | number)[]>();
  for (const { pending = [], incremental = [], completed = [] } of payloads) {
    for (const { id, path } of pending) paths.set(id, path);
    for (const increment of incremental) {
      errors.push(...(increment.errors ?? []));
      const { path = [...(paths.get(increment.id ?? "") ?? []), ...(increment.subPath ?? [])] } = increment;
      add(data, path, increment);
    }
    for (const one of completed) errors.push(...(one.errors ?? []));
  }
  return { data, errors };
}

function add(data: unknown, path: readonly (string | number)[], { items, data: fields }: Increment): void {
  const at = (place: readonly (string | number)[]): unknown =>
    place.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], data);
  if (items === undefined || items === null) {
    assign(at(path) as object, fields ?? {});
    return;
  }
  // Without ids the path ends with the position of the first item.
  const list = at(typeof path.at(-1) === "number" ? path.slice(0, -1) : path) as unknown[];
  list.push(...items);
}

/** Several parts can contain the same object, each with other fields. */
function assign(target: object, fields: object): void {
  for (const [key, value] of Object.entries(fields)) {
    const before = (target as Record<string, unknown>)[key];
    if (isObject(before) && isObject(value)) assign(before, value);
    else (target as Record<string, unknown>)[key] = value;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
