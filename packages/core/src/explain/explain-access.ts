import type { AnyApi } from "../http/any-api.ts";
import type { Principal } from "../definition/principal.ts";
import { type Right, listRights } from "../model/access/rights.ts";
import type { InputMode, Model, ResourceModel } from "../model/model.ts";
import { createCaller } from "../operation/create-caller.ts";
import { DEFAULT_LIMITS } from "../limits/limits.ts";
import { checkNesting, splitInput } from "../operation/nested-input.ts";
import { type NestedPart, rowsOfPart } from "../operation/nested-part.ts";
import type { Operation } from "../operation/operation.ts";
import { silentLog } from "../util/log.ts";
import type { AccessExplanation, AccessQuestion } from "./access-explanation.ts";
import { type Decision, explainRight } from "./explain-right.ts";
import { explainScope } from "./explain-scope.ts";
import type { Asking } from "./explain-rule.ts";
import { printExplanation } from "./print-explanation.ts";

/** The parts of an API that explanations need. */
export interface ExplainedApi extends AnyApi {
  readonly model: Model;
}

/**
 * Explains which rules decide whether a principal may run an operation, and what each of them returns. For developers
 * and tests; never send it to clients. The rules really run. Throws `TypeError` for an unknown resource, action, query
 * or relation, and BAD_REQUEST if the input nests too deeply.
 * @example console.log((await explainAccess(api, ann, { kind: "update", resource: "book" })).text)
 */
export async function explainAccess(
  api: ExplainedApi,
  principal: Principal | null,
  question: AccessQuestion,
): Promise<AccessExplanation> {
  const { model } = api;
  const resource = find(model, question.resource);
  const rights = listRights(model, resource);
  const asking = askingOf(model, principal, question.input);
  const explain = async (wanted: readonly Right[]): Promise<Decision[]> => {
    const decisions: Decision[] = [];
    for (const right of wanted) decisions.push(await explainRight(asking, resource, right));
    return decisions;
  };
  const needed = NEEDED[question.kind];
  const decisions = await explain(
    needed.flatMap((name) => rights.filter((right) => right.right === name && isNeeded(right, question))),
  );
  if (decisions.length === 0)
    throw new TypeError(`'${question.resource}' doesn't have the requested action, query, field or relation.`);
  const parts = await explain(rights.filter((right) => isPart(right, question)));
  const mode = MODES[question.kind];
  if (mode !== undefined) {
    checkNesting(model, resource, mode, question.input, api["~http"].limits.query.selectionDepth);
    // Related rows and links are written under their own rules.
    for (const asked of splitInput(resource, mode, question.input).parts.flatMap(questionsOf)) {
      const inner = await explainAccess(api, principal, asked);
      decisions.push(...inner.decisions);
      parts.push(...inner.parts);
    }
  }
  const found = { principal, question, scope: explainScope(model, principal, resource), decisions, parts };
  return { ...found, text: printExplanation(found) };
}

const MODES: { readonly [K in Operation["kind"]]?: InputMode } = {
  create: "create",
  replace: "replace",
  update: "update",
};

/** Returns the questions about the rows and links in a part of an input. */
function questionsOf(part: NestedPart): readonly AccessQuestion[] {
  const { source, target, name, kind } = part.relation;
  if (kind === "manyToMany") return [{ kind: "link", resource: source, relation: name }];
  return rowsOfPart(part).map(({ mode, input }) => ({ kind: mode ?? "delete", resource: target, input }));
}

export function askingOf(model: Model, principal: Principal | null, input: unknown): Asking {
  const caller = createCaller(principal, undefined);
  const seen = typeof input === "object" && input !== null ? (input as Asking["input"]) : undefined;
  return { asker: { caller, log: silentLog, engine: { model, limits: DEFAULT_LIMITS } }, principal, input: seen };
}

export function find(model: Model, name: string): ResourceModel {
  const resource = model.resources.get(name);
  if (resource === undefined) throw new TypeError(`Unknown resource '${name}'.`);
  return resource;
}

const NEEDED: { readonly [K in Operation["kind"]]: readonly Right["right"][] } = {
  get: ["read"],
  list: ["read", "call"],
  query: ["call"],
  aggregate: ["read"],
  watch: ["read"],
  permissions: ["read"],
  create: ["create", "read"],
  createMany: ["create", "read"],
  replace: ["update"],
  update: ["update"],
  updateMany: ["update"],
  delete: ["delete"],
  deleteMany: ["delete"],
  link: ["link"],
  unlink: ["link"],
  act: ["call"],
};

function isNeeded({ kind, right, subject }: Right, question: AccessQuestion): boolean {
  if (kind === "action") return subject === `${question.resource}.${question.action}`;
  if (kind === "query") return subject === `${question.resource}.${question.query?.name}`;
  if (kind === "relation") return right === "link" && subject === `${question.resource}.${question.relation}`;
  return kind === "rows";
}

const WRITES: ReadonlySet<Operation["kind"]> = new Set(["create", "createMany", "replace", "update", "updateMany"]);

function isPart({ kind, right, subject }: Right, { kind: asked, resource, input }: AccessQuestion): boolean {
  if (kind !== "field" && kind !== "relation") return false;
  if (right === "read") return asked !== "delete" && asked !== "deleteMany";
  if (right !== "write" || !WRITES.has(asked)) return false;
  const isGiven = typeof input !== "object" || input === null || Array.isArray(input);
  return isGiven || Object.hasOwn(input, subject.slice(resource.length + 1));
}
