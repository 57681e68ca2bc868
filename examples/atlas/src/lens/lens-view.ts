import type { ClientForm, GraphqlForm, NotExpressible, RestForm } from "@bifocal/core";
import type { ReadStatement } from "./explain-reads.ts";

/** The body of `POST /lens`: the text of one of the editors. */
export interface LensBody {
  readonly request?: string;
  readonly document?: string;
  /** Whether to run a read and return its SQL. */
  readonly sql?: boolean;
}

/** The part of a translation that the server passes on. */
interface Translated {
  readonly rest: RestForm | NotExpressible;
  readonly client: ClientForm | NotExpressible;
  readonly cost: number;
  readonly maxCost: number;
  /** The access rules that decide for the caller. Absent in production. */
  readonly access?: string;
}

export interface TranslatedBody {
  readonly translations: readonly (Translated & { readonly graphql: GraphqlForm | NotExpressible })[];
}

export interface LensOperation extends Translated {
  /** With the values of the variables. */
  readonly graphql: { readonly document: string } | NotExpressible;
}

/** The response of `POST /lens`. */
export interface LensView {
  readonly operations: readonly LensOperation[];
  readonly statements?: readonly ReadStatement[];
}
