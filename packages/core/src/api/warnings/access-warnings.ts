import type { Authenticator } from "../../auth/authenticator.ts";
import type { OperationName } from "../../definition/operation-names.ts";
import { linkRules } from "../../model/link-rules.ts";
import type { Model, RelationModel, ResourceModel, RuleModel } from "../../model/model.ts";
import type { Warning } from "../../errors/warning.ts";

/** Warns about writes that are open to all callers, and about rules that need a principal without any authenticator. */
export function* accessWarnings(model: Model, authenticators: readonly Authenticator[]): Generator<Warning> {
  const resources = [...model.resources.values()];
  const open = resources.flatMap((resource) => openWrites(model, resource));
  if (open.length > 0) {
    const message = `Anonymous callers can ${open.join(", ")}. Replace the rule \`allow\`, or keep it if that is intended.`;
    yield { code: "open_writes", message };
  }
  const asks = resources.some((resource) => writeRules(model, resource).some(([, { kind }]) => kind === "ask"));
  if (authenticators.length === 0 && asks) {
    const message = "Access rules use the principal, but `auth` is not set, so every caller is anonymous. Set `auth`.";
    yield { code: "no_auth", message };
  }
}

function openWrites(model: Model, resource: ResourceModel): readonly string[] {
  return writeRules(model, resource).flatMap(([what, { kind }]) => (kind === "allow" ? [what] : []));
}

function writeRules(model: Model, resource: ResourceModel): readonly (readonly [string, RuleModel])[] {
  const { name, access, relations, actions } = resource;
  const own = WRITES.filter((kind) => isUsed(resource, kind)).map((kind) => [`${kind} ${name}`, access[kind]] as const);
  // By default, the rule for links is the rule for updates, which is already listed.
  const links = [...relations.values()].filter(
    ({ through, link }) => isUsed(resource, "link") && through !== undefined && link !== access.update,
  );
  return [
    ...own,
    ...links.map((relation) => [`link ${name}.${relation.name}`, narrowest(model, relation)] as const),
    ...[...actions.values()].map((action) => [`call ${name}.${action.name}`, action.access] as const),
  ];
}

const WRITES = ["create", "update", "delete"] as const;
const OF_RULE: Readonly<Record<(typeof WRITES)[number] | "link", readonly OperationName[]>> = {
  create: ["create", "createMany"],
  update: ["update", "updateMany", "replace"],
  delete: ["delete", "deleteMany"],
  link: ["link", "unlink"],
};

/** Whether a style offers any operation that the rule decides about. */
function isUsed({ operations: { rest, graphql }, upsert }: ResourceModel, rule: keyof typeof OF_RULE): boolean {
  const names = rule === "create" && upsert ? [...OF_RULE.create, "replace" as const] : OF_RULE[rule];
  return names.some((name) => rest[name] || graphql[name]);
}

/** Every relation that exposes the link has to permit it, so a single restrictive rule is enough. */
function narrowest(model: Model, relation: RelationModel): RuleModel {
  const rules = linkRules(model, relation).map((one) => one.relation.link);
  return rules.find(({ kind }) => kind !== "allow") ?? relation.link;
}
