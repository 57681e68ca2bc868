import type { Issue } from "../../../errors/bifocal-error.ts";
import type { PresetFields } from "../../../model/model.ts";
import { inputsOf, type SplitInput } from "../../../operation/nested-input.ts";

/** Returns the issues of an input's nested parts themselves, without looking into their rows. */
export function findMisplaced({ own, parts }: SplitInput, decided: PresetFields): readonly Issue[] {
  const issues: Issue[] = [];
  for (const part of parts) {
    const { name, creates, kind, local, foreign, target, many } = part.relation;
    const inputs = inputsOf(part);
    if (inputs === undefined) issues.push({ path: [name], message: `'${name}' must be a list.`, code: "invalid_type" });
    else if (inputs.length > creates) {
      const message = `'${name}' can have at most ${creates} rows here. Create the others in separate requests.`;
      issues.push({ path: [name], message, code: "too_big" });
    }
    if (kind === "belongsTo") {
      if (!isGiven(own, local) && !Object.hasOwn(decided, local)) continue;
      const message = `'${local}' and '${name}' both set the ${target}. Pass only one of them.`;
      issues.push({ path: [name], message, code: "contradiction" });
      continue;
    }
    const message = `'${foreign}' is set by the parent. Leave it out.`;
    for (const [index, input] of (inputs ?? []).entries()) {
      const path = many ? [name, index, foreign] : [name, foreign];
      if (isGiven(input, foreign)) issues.push({ path, message, code: "contradiction" });
    }
  }
  return issues;
}

function isGiven(input: unknown, field: string): boolean {
  return typeof input === "object" && input !== null && (input as Record<string, unknown>)[field] !== undefined;
}
