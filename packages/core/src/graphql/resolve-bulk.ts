import { lowerInput, lowerNewInputs } from "./lower/lower-input.ts";
import { lowerConditionArguments } from "./lower/lower-list.ts";
import { lowerSelection } from "./lower/lower-selection.ts";
import type { FieldTarget } from "./lower/field-target.ts";
import type { Precondition } from "../operation/operation.ts";
import { parseIfMatch } from "./resolve-mutation.ts";
import { toNode } from "./node.ts";
import { type Resolver, resolver } from "./resolver.ts";
import type { RootOutcome } from "./root-field.ts";
import { unexpectedOutcome } from "../operation/unexpected-outcome.ts";

export function resolveCreateMany(target: FieldTarget): Resolver {
  const { resource } = target;
  return resolver({
    select: (nodes, document) => lowerSelection(target, nodes, document),
    lower: (args, selection) => {
      const given = args["input"] as readonly unknown[];
      const inputs = lowerNewInputs(target, given, (index) => [index]);
      return { kind: "createMany", resource: resource.name, inputs, form: "wire", selection };
    },
    read: (outcome) =>
      outcome.kind === "batch" ? outcome.rows.map((row) => row && toNode(row)) : unexpectedOutcome(outcome),
  });
}

export function resolveUpdateMany(target: FieldTarget): Resolver {
  const { resource } = target;
  return resolver({
    select: () => undefined,
    lower: (args) => {
      const input = lowerInput(target, "update", args["input"]);
      const condition = lowerConditionArguments(target, args, []);
      return { kind: "updateMany", resource: resource.name, ...condition, input, form: "wire", ...versionsOf(args) };
    },
    read: (outcome) => countOf(target, outcome),
  });
}

export function resolveDeleteMany(target: FieldTarget): Resolver {
  const { resource } = target;
  return resolver({
    select: () => undefined,
    lower: (args) => ({
      kind: "deleteMany",
      resource: resource.name,
      ...lowerConditionArguments(target, args, []),
      ...versionsOf(args),
    }),
    read: (outcome) => countOf(target, outcome),
  });
}

function versionsOf(args: Readonly<Record<string, unknown>>): { readonly ifMatch?: Precondition } {
  const ifMatch = parseIfMatch("ifMatch", args["ifMatch"]);
  return ifMatch === undefined ? {} : { ifMatch };
}

function countOf({ resource, ids }: FieldTarget, outcome: RootOutcome): { count: number; ids: readonly string[] } {
  if (outcome.kind !== "batch") return unexpectedOutcome(outcome);
  return { count: outcome.keys.length, ids: outcome.keys.map((key) => ids.format(resource, key)) };
}
