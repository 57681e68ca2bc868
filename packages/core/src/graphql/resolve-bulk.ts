import type { GraphQLFieldConfig } from "graphql";
import type { ResourceModel } from "../model/model.ts";
import { formatId } from "../operation/key.ts";
import type { Outcome } from "../operation/outcome.ts";
import { inputFromIds } from "./lower/from-ids.ts";
import { lowerFilterArgument } from "./lower/lower-list.ts";
import { lowerSelection } from "./lower/lower-selection.ts";
import { rememberSelection } from "./lower/selection-of.ts";
import type { Target } from "./lower/target.ts";
import { resolver, unexpected } from "./resolver.ts";

type Resolve = NonNullable<GraphQLFieldConfig<unknown, unknown>["resolve"]>;

export function resolveCreateMany(target: Target): Resolve {
  const { resource } = target;
  const selectionOf = rememberSelection((nodes, info) => lowerSelection(target, nodes, info));
  return resolver(
    (args, info) => {
      const inputs = (args["input"] as readonly unknown[]).map((input) => inputFromIds(resource, input));
      return { kind: "createMany", resource: resource.name, inputs, form: "wire", selection: selectionOf(info) };
    },
    (outcome) => (outcome.kind === "batch" ? outcome.nodes : unexpected(outcome)),
  );
}

export function resolveUpdateMany(target: Target): Resolve {
  const { resource } = target;
  return resolver(
    (args) => {
      const input = inputFromIds(resource, args["input"]);
      const filter = lowerFilterArgument(target, args, []);
      return { kind: "updateMany", resource: resource.name, filter, input, form: "wire" };
    },
    (outcome) => countOf(resource, outcome),
  );
}

export function resolveRemoveMany(target: Target): Resolve {
  const { resource } = target;
  return resolver(
    (args) => ({ kind: "removeMany", resource: resource.name, filter: lowerFilterArgument(target, args, []) }),
    (outcome) => countOf(resource, outcome),
  );
}

function countOf(resource: ResourceModel, outcome: Outcome): { count: number; ids: readonly string[] } {
  if (outcome.kind !== "batch") return unexpected(outcome);
  return { count: outcome.keys.length, ids: outcome.keys.map((key) => formatId(resource, key)) };
}
