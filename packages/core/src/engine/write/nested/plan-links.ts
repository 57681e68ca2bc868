import { isBifocalError, type Issue } from "../../../errors/bifocal-error.ts";
import type { InputForm, Key, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { keyOf, keyToken } from "../../../operation/key.ts";
import type { NestedPart } from "../../../operation/nested-part.ts";
import { decide, isAlways, isNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { storeFilter } from "../../read/rewrite-related.ts";
import { invalid } from "../checks/check-input.ts";
import { errorAt } from "../checks/error-at.ts";
import { decideLink, type LinkRight } from "../links/link-rows.ts";
import { type NamedKey, unknownRow } from "./named-keys.ts";
import { readNamedLinks } from "./read-links.ts";
import { refuseUnreadable } from "./refuse-unreadable.ts";

type Path = Issue["path"];

/** The links that a write changes, with the rights of its caller. Paths are those of the whole input. */
export interface LinksPlan {
  readonly kind: "links";
  readonly relation: RelationModel;
  readonly target: ResourceModel;
  readonly path: Path;
  readonly isSet: boolean;
  readonly add: readonly NamedKey[];
  readonly remove: readonly NamedKey[];
  readonly rights: readonly LinkRight[];
}

/** Plans the links of an input. Pushes the mistakes to `issues`; throws if the caller can't change any link. */
export async function planLinks(
  context: OperationContext,
  part: NestedPart,
  form: InputForm,
  path: Path,
  issues: Issue[],
): Promise<LinksPlan> {
  const { relation, mode } = part;
  const target = resourceOf(context.engine.model, relation.target);
  const at = [...path, relation.name];
  try {
    const rights = await decideLink(context, relation);
    const named = readNamedLinks(part, target, form);
    // Setting the links of an existing row depends on the links that it has.
    const isSet = named.isSet && mode !== "create";
    if (isSet) await refuseUnreadable(context, relation);
    const place = (one: NamedKey): NamedKey => ({ ...one, path: [...path, ...one.path] });
    issues.push(...named.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })));
    const [add, remove] = [named.add.map(place), named.remove.map(place)];
    return { kind: "links", relation, target, path: at, isSet, add, remove, rights };
  } catch (thrown) {
    throw isBifocalError(thrown) ? errorAt(thrown, at) : thrown;
  }
}

/** The rows that links lead to, by resource and key. */
export type LinkTargets = ReadonlyMap<string, ReadonlyMap<string, Row>>;

/** Number of keys in one read. */
const CHUNK = 500;

/** Reads the rows that links lead to. Throws all issues if the caller can't see one of them. */
export async function readLinkTargets(context: OperationContext, plans: readonly LinksPlan[]): Promise<LinkTargets> {
  const wanted = new Map<ResourceModel, Map<string, Key>>();
  for (const { target, add, remove } of plans) {
    const keys = wanted.get(target) ?? new Map<string, Key>();
    wanted.set(target, keys);
    for (const { key } of [...add, ...remove]) keys.set(keyToken(key), key);
  }
  const found = new Map<string, ReadonlyMap<string, Row>>();
  for (const [target, keys] of wanted) {
    const rows = await readVisibleRows(context, target, [...keys.values()]);
    found.set(target.name, new Map(rows.map((row) => [keyToken(keyOf(target, row)), row])));
  }
  const issues = plans.flatMap(({ target, add, remove }) =>
    [...add, ...remove]
      .filter(({ key }) => found.get(target.name)?.has(keyToken(key)) !== true)
      .map(({ path }) => unknownRow(target, path)),
  );
  if (issues.length > 0) throw invalid(issues);
  return found;
}

async function readVisibleRows(
  context: OperationContext,
  resource: ResourceModel,
  keys: readonly Key[],
): Promise<readonly Row[]> {
  const visible = await decide(context, resource.access.read, resource);
  if (isNever(visible)) return [];
  const filter = isAlways(visible) ? undefined : await storeFilter(context, resource, visible);
  const rows: Row[] = [];
  for (let start = 0; start < keys.length; start += CHUNK) {
    const query = { resource, keys: keys.slice(start, start + CHUNK), filter };
    rows.push(...(await context.storeOf(resource.name).byKeys(query, context.deadline)));
  }
  return rows;
}
