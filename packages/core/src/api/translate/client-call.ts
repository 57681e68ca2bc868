import type { Operation } from "../../operation/operation.ts";
import type { Selection } from "../../operation/selection.ts";
import { clientFilter, groupsOptions, ifMatchOption, listOptions, selectOption } from "./client-options.ts";
import { clientId, clientInput } from "./client-values.ts";
import { searchText } from "./list-words.ts";
import { notExpressible } from "./not-expressible-error.ts";
import { printLiteral } from "./print-literal.ts";
import { type PrintContext, printedResource } from "./print-context.ts";
import { isWhole } from "./select-tree.ts";
import type { ClientForm } from "./translation.ts";

type Options = Readonly<Record<string, unknown>>;
type Of<Kind extends Operation["kind"]> = Extract<Operation, { kind: Kind }>;

/** Prints an operation as a call of `@bifocal/client`. Throws NotExpressibleError if the client has no such call. */
export function clientCall(context: PrintContext, operation: Operation): ClientForm {
  const { method, args } = callOf(context, operation);
  const code = `client.${operation.resource}.${method}(${args.map((one) => printLiteral(one)).join(", ")})`;
  return { code };
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
}

function callOf(context: PrintContext, operation: Operation): Call {
  const place = printedResource(context, operation.resource);
  const { resource } = place;
  const select = (selection: Selection): Options => selectOption(context, resource, selection);
  switch (operation.kind) {
    case "list":
      return list(context, operation);
    case "query":
      return query(context, operation.resource, operation.query, {});
    case "aggregate":
      return { method: "aggregate", args: options(groupsOptions(context, resource, operation, operation)) };
    case "get": {
      const { key, deleted, selection } = operation;
      return {
        method: "get",
        args: [clientId(place, key), ...options({ ...select(selection), ...(deleted && { deleted }) })],
      };
    }
    case "create":
      refuseWithin(operation);
      return {
        method: "create",
        args: [clientInput(context, place, operation.input, operation.form), ...options(select(operation.selection))],
      };
    case "createMany":
      refuseWithin(operation);
      return {
        method: "createMany",
        args: [
          operation.inputs.map((one) => clientInput(context, place, one, operation.form)),
          ...options(select(operation.selection)),
        ],
      };
    case "replace":
    case "update": {
      const input = clientInput(context, place, operation.input, operation.form);
      const more = options({ ...select(operation.selection), ...ifMatchOption(operation) });
      return { method: operation.kind, args: [clientId(place, operation.key), input, ...more] };
    }
    case "delete":
      return { method: "delete", args: [clientId(place, operation.key), ...options(ifMatchOption(operation))] };
    case "updateMany":
    case "deleteMany": {
      const { filter, search } = operation;
      const condition = filter === undefined ? {} : clientFilter(context, resource, filter);
      const more = options({ ...(search && { search: searchText(search) }), ...ifMatchOption(operation) });
      if (operation.kind === "deleteMany") return { method: "deleteMany", args: [condition, ...more] };
      if (operation.selection !== undefined)
        notExpressible("The client returns the ids of several updated rows, not the rows.");
      const input = clientInput(context, place, operation.input, operation.form);
      return { method: "updateMany", args: [condition, input, ...more] };
    }
    case "link":
    case "unlink":
      return link(context, operation);
    case "act":
      return act(context, operation);
    case "watch": {
      const { on, key, filter, after, initial, selection } = operation;
      const parts = {
        ...(on.length === 3 ? {} : { on }),
        ...(key === undefined ? {} : { id: clientId(place, key) }),
        ...(filter && { filter: clientFilter(context, resource, filter) }),
        ...(after === undefined ? {} : { after }),
        ...(initial && { initial }),
      };
      return { method: "watch", args: options({ ...parts, ...select(selection) }) };
    }
    case "permissions":
      return notExpressible("The client has no call for permissions.");
  }
}

/** Returns the last argument. Empty options are left out. */
function options(given: Options): readonly unknown[] {
  return isEmpty(given) ? [] : [given];
}

function list(context: PrintContext, operation: Of<"list">): Call {
  const { resource } = printedResource(context, operation.resource);
  const { query: call, count, deleted, selection } = operation;
  const parts = {
    ...listOptions(context, resource, operation),
    ...(count === undefined || count === false ? {} : { count }),
    ...(deleted && { deleted }),
    ...selectOption(context, resource, selection),
  };
  return call === undefined
    ? { method: "list", args: options(parts) }
    : query(context, operation.resource, call, parts);
}

function query(context: PrintContext, name: string, call: Of<"query">["query"], parts: Options): Call {
  const place = printedResource(context, name);
  const hasInput = place.described.queries[call.name]?.hasInput === true;
  const args = [
    ...(call.key === undefined ? [] : [clientId(place, call.key)]),
    ...(hasInput ? [call.input ?? {}] : []),
  ];
  return { method: `queries.${call.name}`, args: [...args, ...options(parts)] };
}

function link(
  context: PrintContext,
  { kind, resource, key, relation, target, more, selection }: Of<"link" | "unlink">,
): Call {
  if (more !== undefined && more.length > 0) notExpressible("Only JSON:API links several rows in one request.");
  if (selection !== undefined && selection.fields.length + selection.relations.length > 0)
    notExpressible("The client returns no row for a link. Read the row afterwards.");
  const place = printedResource(context, resource);
  const other = printedResource(context, place.described.relations[relation]?.to ?? "");
  return { method: kind, args: [clientId(place, key), relation, clientId(other, target)] };
}

function act(context: PrintContext, operation: Of<"act">): Call {
  const { action, key, input, selection } = operation;
  const place = printedResource(context, operation.resource);
  const isRow = place.described.actions[action]?.returns === "row";
  if (isRow && !(isWhole(place.resource, selection) && selection.relations.length === 0))
    notExpressible("An action of the client returns the whole row.");
  if (operation.ifMatch !== undefined || operation.ifNoneMatch !== undefined)
    notExpressible("An action of the client has no 'ifMatch'.");
  const args = [...(key === undefined ? [] : [clientId(place, key)]), ...(input === undefined ? [] : [input])];
  return { method: `actions.${action}`, args };
}

function refuseWithin({ within }: Of<"create" | "createMany">): void {
  if (within !== undefined)
    notExpressible(`The client can't create inside '${within.relation}'. Set the field that references the row.`);
}
