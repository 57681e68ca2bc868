import { DefinitionError } from "../errors/definition-error.ts";
import type { Model, ResourceModel } from "./model.ts";
import { checkLinks } from "./resolve/check-links.ts";
import { checkOnes } from "./resolve/check-ones.ts";
import { checkRules } from "./resolve/check-rules.ts";
import { collectResources } from "./resolve/collect-resources.ts";
import { collectMistakes, type Pass } from "./resolve/draft.ts";
import { finishResource } from "./resolve/finish.ts";
import { resolveAccess } from "./resolve/resolve-access.ts";
import { resolveActions } from "./resolve/resolve-actions.ts";
import { resolveFields } from "./resolve/resolve-fields.ts";
import { resolveKeys } from "./resolve/resolve-keys.ts";
import { resolveNames } from "./resolve/resolve-names.ts";
import { resolveRelations } from "./resolve/resolve-relations.ts";

const PASSES: readonly Pass[] = [
  resolveNames,
  resolveKeys,
  resolveFields,
  resolveRelations,
  checkLinks,
  resolveAccess,
  checkOnes,
  resolveActions,
  checkRules,
];

/** Resolves definitions into the frozen model. Throws `DefinitionError` with all mistakes and their fixes. */
export function resolveModel(definitions: readonly unknown[]): Model {
  const { report, mistakes } = collectMistakes();
  const drafts = collectResources(definitions, report);
  for (const pass of PASSES) pass(drafts, report);
  const resources = new Map<string, ResourceModel>();
  for (const draft of drafts.values()) resources.set(draft.name, finishResource(draft, report));
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
  return Object.freeze({ resources });
}
