import type { z } from "zod";
import type { Relation } from "../../definition/relations.ts";
import type { DefinitionMistake } from "../../errors/definition-error.ts";
import type { AccessModel, ActionModel, FieldModel, RelationModel } from "../model.ts";

/** A config as plain JavaScript may have written it: nothing about it is certain. */
export type RawConfig = Readonly<Record<string, unknown>>;

/** A resource on its way through the passes; each pass reads what earlier ones wrote. */
export interface Draft {
  readonly name: string;
  readonly config: RawConfig;
  /** Checked: zod schemas by name. */
  readonly schemas: ReadonlyMap<string, z.ZodType>;
  key: readonly string[];
  plural: string;
  path: string;
  readonly declared: Map<string, Relation>;
  readonly fields: Map<string, FieldModel>;
  readonly relations: Map<string, RelationModel>;
  readonly actions: Map<string, ActionModel>;
  access: AccessModel | undefined;
  unique: readonly (readonly string[])[];
}

export type Drafts = ReadonlyMap<string, Draft>;

/** Notes one mistake: `at` is a path of names, `fix` a sentence that says what to do. */
export type Report = (at: string, problem: string, fix: string) => void;

/** One step from definition to model. It reports what is wrong and goes on, so that one run shows all mistakes. */
export type Pass = (drafts: Drafts, report: Report) => void;

export function collectMistakes(): { readonly report: Report; readonly mistakes: DefinitionMistake[] } {
  const mistakes: DefinitionMistake[] = [];
  return { mistakes, report: (at, problem, fix) => mistakes.push({ at, problem, fix }) };
}
