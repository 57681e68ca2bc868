import type { z } from "zod";
import type { Relation } from "../../definition/relations.ts";
import type {
  AccessModel,
  ActionModel,
  ComputedModel,
  FieldModel,
  QueryModel,
  RelationModel,
  TenantModel,
} from "../model.ts";

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
  readonly computed: Map<string, ComputedModel>;
  readonly relations: Map<string, RelationModel>;
  readonly actions: Map<string, ActionModel>;
  readonly queries: Map<string, QueryModel>;
  access: AccessModel | undefined;
  unique: readonly (readonly string[])[];
  softDelete: string | undefined;
  tenant: TenantModel | undefined;
  /** The resource that holds its history. */
  readonly history: string | undefined;
  /** The resource whose history it holds. */
  readonly historyOf: string | undefined;
  /** The age in seconds at which its rows are deleted. */
  readonly keepFor: number | undefined;
  reachesTenants: boolean;
}

export type Drafts = ReadonlyMap<string, Draft>;

/** Reports a mistake. `at` is a path of names, `fix` a sentence about what to do. */
export type Report = (at: string, problem: string, fix: string) => void;

/** One step from definition to model. It reports mistakes and continues, so that a single start shows all of them. */
export type Pass = (drafts: Drafts, report: Report) => void;
