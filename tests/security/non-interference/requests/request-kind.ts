import type { SchemaPlan } from "../schema-plan.ts";
import type { Answered, Asked } from "../send.ts";
import type { Situation } from "../situation.ts";

/** A request, or one that depends on the answer to the one before; `undefined`: nothing is left to ask. */
export type Step = Asked | ((answered: Answered) => Asked | undefined);

/** A kind of request, with the shares (0 to 1) of those sent that must at least come so far. */
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
  /** The requests to send, one after the other. The last one counts. Empty where the world has nothing to ask it of. */
  readonly build: (situation: Situation) => readonly Step[];
}
