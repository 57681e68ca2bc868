import { type LinkRule, linkRules } from "../link-rules.ts";
import type { ActionModel, FieldModel, Model, QueryModel, RelationModel, ResourceModel, RuleModel } from "../model.ts";

/** A right that is allowed if all of its rules allow it. */
export interface Right {
  /** Such as `book`, `book.price`, `book.tags`, `book.publish` or `book.trending`. */
  readonly subject: string;
  readonly kind: "rows" | "field" | "relation" | "action" | "query";
  readonly right: "read" | "create" | "update" | "delete" | "write" | "link" | "call";
  readonly rules: readonly RightRule[];
  /** True if the field or relation has no rule of its own, so that the rules of the row apply. */
  readonly isDefault: boolean;
}

export interface RightRule {
  /** Location of the rule: `book.access.read`. */
  readonly at: string;
  readonly rule: RuleModel;
  /** The resource whose rows it filters. */
  readonly resource: ResourceModel;
}

export function listRights(model: Pick<Model, "resources">, resource: ResourceModel): readonly Right[] {
  const { name, access, actions, queries, relations, visibleFields } = resource;
  const ruled = (rule: RuleModel, at: string, of = resource): RightRule => ({
    at: `${name}.${at}`,
    rule,
    resource: of,
  });
  const read = ruled(access.read, "access.read");
  const update = ruled(access.update, "access.update");
  const rows = (right: Right["right"], ...rules: readonly RightRule[]): Right => {
    return { subject: name, kind: "rows", right, rules, isDefault: false };
  };
  return [
    rows("read", read),
    rows("create", ruled(access.create, "access.create")),
    rows("update", read, update),
    rows("delete", read, ruled(access.delete, "access.delete")),
    ...visibleFields.flatMap((field) => fieldRights(field)),
    ...[...relations.values()].flatMap((relation) => relationRights(relation)),
    ...[...actions.values()].map((action) => actionRight(action)),
    ...[...queries.values()].map((query) => queryRight(query)),
  ];

  function fieldRights({ name: field, read: own, write, writable }: FieldModel): readonly Right[] {
    const subject = `${name}.${field}`;
    const at = `access.fields.${field}`;
    const isOpen = own.kind === "allow";
    const reading = isOpen ? [read] : [read, ruled(own, `${at}.read`)];
    const rights: Right[] = [{ subject, kind: "field", right: "read", rules: reading, isDefault: isOpen }];
    if (!writable) return rights;
    const isFree = write.kind === "allow";
    const writing = isFree ? [read, update] : [read, update, ruled(write, `${at}.write`)];
    return [...rights, { subject, kind: "field", right: "write", rules: writing, isDefault: isFree }];
  }

  function relationRights(along: RelationModel): readonly Right[] {
    const { name: relation, target, read: own, link, through } = along;
    const subject = `${name}.${relation}`;
    const at = `access.relations.${relation}`;
    const far = model.resources.get(target) as ResourceModel;
    const isOpen = own.kind === "allow";
    const visible: RightRule = { at: `${target}.access.read`, rule: far.access.read, resource: far };
    const reading = [read, ...(isOpen ? [] : [ruled(own, `${at}.read`)]), visible];
    const rights: Right[] = [{ subject, kind: "relation", right: "read", rules: reading, isDefault: isOpen }];
    if (through === undefined) return rights;
    const decided = linkRules(model, along).map((rule) => linkRight(rule));
    const linking = [read, ...decided, visible];
    const isDefault = decided.length === 1 && link.rule === access.update.rule;
    return [...rights, { subject, kind: "relation", right: "link", rules: linking, isDefault }];
  }

  function actionRight({ name: action, on, access: rule }: ActionModel): Right {
    const own = ruled(rule, `actions.${action}.access`);
    const rules = on === "item" ? [read, own] : [own];
    return { subject: `${name}.${action}`, kind: "action", right: "call", rules, isDefault: false };
  }

  function queryRight({ name: query, on, output, access: rule }: QueryModel): Right {
    const own = ruled(rule, `queries.${query}.access`);
    const rules = on === "item" || output === undefined ? [read, own] : [own];
    return { subject: `${name}.${query}`, kind: "query", right: "call", rules, isDefault: false };
  }
}

/** By default, a link counts as an update of the row on each side. */
function linkRight({ resource, relation }: LinkRule): RightRule {
  const { name, access } = resource;
  const isUpdate = relation.link.rule === access.update.rule;
  const at = isUpdate ? `${name}.access.update` : `${name}.access.relations.${relation.name}.link`;
  return { at, rule: isUpdate ? access.update : relation.link, resource };
}
