import type { ActionModel, Key, RelationModel, ResourceModel } from "../model/model.ts";
import type { Precondition } from "../operation/operation.ts";
import { lowerInput, lowerNewInputs } from "./lower/lower-input.ts";
import { lowerSelection } from "./lower/lower-selection.ts";
import type { FieldTarget } from "./lower/field-target.ts";
import { notFound } from "../lowering/not-found.ts";
import { toNode } from "./node.ts";
import { type Resolver, resolver } from "./resolver.ts";
import { fromUnions } from "./unions.ts";
import type { Arguments, RootField, RootOutcome } from "./root-field.ts";
import { parsePrecondition } from "../operation/parse-precondition.ts";
import { unexpectedOutcome } from "../operation/unexpected-outcome.ts";
import { BifocalError } from "../errors/bifocal-error.ts";

type Row = ReturnType<typeof lowerSelection>;

export function resolveCreate(target: FieldTarget): Resolver {
  const { resource } = target;
  return resolver({
    select: selectRow(target),
    lower: (args, selection) => {
      const [input] = lowerNewInputs(target, [args["input"] ?? {}], () => []);
      return { kind: "create", resource: resource.name, input, form: "wire", selection };
    },
    read: nodeOf,
  });
}

/**
 * Resolves `replaceBook` and `updateBook`. A `null` in the input clears the field; an absent key leaves it unchanged.
 */
export function resolveWrite(target: FieldTarget, kind: "replace" | "update"): Resolver {
  const { resource } = target;
  return resolver({
    select: selectRow(target),
    lower: (args, selection) => {
      const input = lowerInput(target, kind, args["input"]);
      const written = {
        kind,
        resource: resource.name,
        key: keyOf(target, resource, args["id"]),
        input,
        form: "wire" as const,
      };
      return { ...written, ...precondition(args), selection };
    },
    read: nodeOf,
  });
}

export function resolveDelete(target: FieldTarget): Resolver {
  const { resource } = target;
  return resolver({
    select: () => undefined,
    lower: (args) => ({
      kind: "delete",
      resource: resource.name,
      key: keyOf(target, resource, args["id"]),
      ...precondition(args),
    }),
    read: (outcome, args) => {
      if (outcome.kind !== "nothing") return unexpectedOutcome(outcome);
      return { deleted: true, id: outcome.key === undefined ? args["id"] : target.ids.format(resource, outcome.key) };
    },
  });
}

export function resolveLink(
  target: FieldTarget,
  kind: "link" | "unlink",
  relation: RelationModel,
  other: ResourceModel,
  argument: string,
): Resolver {
  const { resource } = target;
  return resolver({
    select: selectRow(target),
    lower: (args, selection) => {
      const ends = { key: keyOf(target, resource, args["id"]), target: keyOf(target, other, args[argument]) };
      return { kind, resource: resource.name, relation: relation.name, ...ends, selection };
    },
    read: nodeOf,
  });
}

export function resolveAction(target: FieldTarget, action: ActionModel): Resolver {
  const { resource } = target;
  const answersRow = action.on === "item" && action.output === undefined;
  return resolver({
    select: answersRow ? selectRow(target) : () => ({ fields: [], relations: [] }),
    lower: (args, selection) => ({
      kind: "act",
      resource: resource.name,
      action: action.name,
      ...(action.on === "item" ? { key: keyOf(target, resource, args["id"]) } : {}),
      ...(hasInput(action, args["input"]) ? { input: inputOf(action, args["input"]) } : {}),
      form: "wire",
      selection,
    }),
    read: (outcome) => {
      if (outcome.kind === "result") return outcome.value;
      return outcome.kind === "nothing" && !answersRow ? true : nodeOf(outcome);
    },
  });
}

/** Clients may send `null` for an optional argument. It counts as input only if the schema allows null. */
function hasInput({ input }: ActionModel, given: unknown): boolean {
  return given !== undefined && !(given === null && input?.optional === true && !input.type.nullable);
}

function inputOf({ input }: ActionModel, given: unknown): unknown {
  return input === undefined ? given : fromUnions(input.type, given);
}

function selectRow(target: FieldTarget): RootField<Row>["select"] {
  return (nodes, document) => lowerSelection(target, nodes, document);
}

/** `nothing` means that the write succeeded but the caller is not allowed to read the row. */
function nodeOf(outcome: RootOutcome): unknown {
  if (outcome.kind === "nothing") return null;
  return outcome.kind === "item" ? toNode(outcome.row) : unexpectedOutcome(outcome);
}

/** A malformed id matches no row. */
function keyOf({ ids }: FieldTarget, resource: ResourceModel, id: unknown): Key {
  const key = ids.parse(resource, String(id));
  if (key === undefined) throw notFound(resource);
  return key;
}

function precondition(args: Arguments): { readonly ifMatch?: Precondition; readonly ifNoneMatch?: Precondition } {
  const ifMatch = parseIfMatch("ifMatch", args["ifMatch"]);
  const ifNoneMatch = parseIfMatch("ifNoneMatch", args["ifNoneMatch"]);
  return { ...(ifMatch === undefined ? {} : { ifMatch }), ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }) };
}

export function parseIfMatch(name: string, text: unknown): Precondition | undefined {
  if (typeof text !== "string") return undefined;
  const precondition = parsePrecondition(text);
  if (precondition !== undefined) return precondition;
  throw new BifocalError("BAD_REQUEST", `'${name}' must be a version, a comma-separated list of versions, or '*'.`);
}
