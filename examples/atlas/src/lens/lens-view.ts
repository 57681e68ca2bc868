import type { ClientForm, GraphqlForm, NotExpressible, RestForm } from "@bifocal/core";
import type { ExplainedSql } from "@bifocal/core/explain";

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
  /** The access rules that decide for the caller. */
  readonly access?: string;
}

/** The response of `POST /-/translate`. */
export interface TranslatedBody {
  readonly translations: readonly (Translated & {
    readonly graphql: GraphqlForm | NotExpressible;
    readonly sql?: ExplainedSql;
  })[];
}

export interface LensOperation extends Translated {
  /** With the values of the variables. */
  readonly graphql: { readonly document: string } | NotExpressible;
}

/** The response of `POST /lens`. */
export interface LensView {
  readonly operations: readonly LensOperation[];
  readonly statements?: ExplainedSql["statements"];
}
