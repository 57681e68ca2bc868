import type { ClientAction, ClientDescription, ClientQuery, ClientResource, Style } from "@bifocal/core";
import type { Groups } from "./groups.ts";
import type { Transport } from "./transport.ts";
import type { WatchQuery } from "./watch.ts";

export type Row = Readonly<Record<string, unknown>>;

/** The rows of a list, or of a relation; groups of them with `aggregate` or `group`. */
export interface ListQuery {
  readonly filter?: Row;
  readonly search?: string;
  readonly sort?: readonly string[];
  readonly page?: {
    readonly size?: number;
    readonly after?: string;
    readonly before?: string;
    readonly offset?: number;
  };
  readonly select?: Select;
  readonly aggregate?: readonly string[];
  readonly group?: readonly string[];
  readonly having?: Row;
}

/** `true` for a field or a whole relation; a query for a part of a relation. */
export type Select = Readonly<Record<string, true | ListQuery>>;

/** The options of a call, whatever its method. */
export interface Options extends ListQuery {
  readonly count?: boolean | "exact";
  readonly deleted?: string;
  /** Whether the rows must be newer than those in a cache. */
  readonly live?: boolean;
  readonly signal?: AbortSignal;
}

export type Operation =
  | "get"
  | "list"
  | "aggregate"
  | "history"
  | "create"
  | "replace"
  | "update"
  | "delete"
  | "createMany"
  | "updateMany"
  | "deleteMany"
  | "link"
  | "unlink"
  | "act"
  | "query";

/** One call of a method. */
export interface Call {
  readonly operation: Operation;
  readonly resource: ClientResource;
  readonly description: ClientDescription;
  readonly options: Options;
  /** The text of the row's id. */
  readonly id?: string;
  readonly input?: unknown;
  /** The code that decodes groups, if the call has any. */
  readonly groups?: Groups | undefined;
  /** The versions that the row may have. */
  readonly versions?: readonly string[] | undefined;
  /** The name of a relation. */
  readonly member?: string;
  /** The action or the query of an `act` or a `query`. */
  readonly own?: ClientAction | ClientQuery;
  /** The text of the id at the other end of a link. */
  readonly target?: string;
}

export interface Page {
  readonly items: readonly Row[];
  readonly total?: number;
  readonly totalIsExact?: boolean;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** The result of a call as JSON. A `page` contains the rows of a list, or groups. */
export interface Result {
  readonly row?: Row | null;
  /** The version of `row`, if it is known. */
  readonly version?: string | undefined;
  readonly rows?: readonly (Row | null)[];
  readonly page?: Page;
  readonly ids?: readonly (string | number)[];
  readonly value?: unknown;
}

/** Sends calls in one style. */
export interface Lens<In extends Style = Style> {
  readonly style: In;
  readonly run: (call: Call, transport: Transport) => Promise<Result>;
  /** Loads the code for event streams. */
  readonly watchPart: () => Promise<{ readonly watchSearch: WatchSearch }>;
}

/** Writes the query string of an event stream. Undefined if a URL can't express it. */
export type WatchSearch = (
  description: ClientDescription,
  resource: ClientResource,
  query: Pick<WatchQuery, "filter" | "initial" | "select">,
) => string | undefined;
