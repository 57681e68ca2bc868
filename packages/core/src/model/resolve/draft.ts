import type { z } from "zod";
import type { Relation } from "../../definition/relations.ts";
import type { AccessModel, ActionModel, FieldModel, RelationModel } from "../model.ts";

/** An unchecked config, as plain JavaScript may have written it. */
export type RawConfig = Readonly<Record<string, unknown>>;

/** A resource while it is resolved. Each pass reads what earlier passes wrote. */
export interface Draft {
  readonly name: string;
  readonly config: RawConfig;
  /** The checked zod schemas by field name. */
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

/** Reports a mistake. `at` is a path of names, `fix` a sentence about what to do. */
export type Report = (at: string, problem: string, fix: string) => void;

/** One step from definition to model. It reports mistakes and continues, so that a single start shows all of them. */
export type Pass = (drafts: Drafts, report: Report) => void;
