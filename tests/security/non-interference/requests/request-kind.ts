import type { SchemaPlan } from "../schema-plan.ts";
import type { Answered, Asked } from "../send.ts";
import type { Situation } from "../situation.ts";

/** A request, or a function of the previous response. `undefined`: there is no further request. */
export type Step = Asked | ((answered: Answered) => Asked | undefined);

/** A kind of request, with the minimum shares (0 to 1) that must reach each stage. */
export interface RequestKind {
  readonly name: string;
  /** The share that passes parsing and validation. */
  readonly valid: number;
  /** The share that succeeds. */
  readonly succeeds: number;
  /** Whether a schema has such requests. Default: all have. */
  readonly isIn?: (plan: SchemaPlan) => boolean;
  /** How often it is drawn, compared with others. Default: 1. */
  readonly weight?: number;
  /** The requests to send in order. Only the last one counts. Empty if the world has no suitable rows. */
  readonly build: (situation: Situation) => readonly Step[];
}
