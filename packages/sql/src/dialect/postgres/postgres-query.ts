import type { StatementResult, Statement } from "../../database.ts";
import type { PgConnection } from "./pg.ts";
import { TENANT_SETTING } from "../../tenant-setting.ts";
import type { PreparedNames } from "./prepared-names.ts";
import { RowMessages } from "./row-messages.ts";

/** Statements without values that are sent in the same batch as another statement. */
export interface Around {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/**
 * One statement in the extended protocol (PostgreSQL, 55.2.3), sent in a single batch. Values are read as the text that
 * the server sends. No description of the columns is requested, because the model gives their types.
 */
export class PostgresQuery {
  readonly #statement: Statement;
  readonly #values: readonly unknown[];
  readonly #prepared: PreparedNames;
  readonly #around: Around;
  readonly #rows: (readonly unknown[])[] = [];
  readonly #tenant: string | undefined;
  /** Number of results before that of the statement. */
  #ahead: number;
  #affected = 0;
  #settle!: { readonly resolve: (answer: StatementResult) => void; readonly reject: (error: unknown) => void };
  /** `pg` calls this when the connection breaks. */
  readonly callback = (error: unknown): void => {
    if (error) this.#settle.reject(error);
  };

  /** @param tenant - the value of `bifocal.tenant`; undefined if it isn't set */
  constructor(
    statement: Statement,
    values: readonly unknown[],
    prepared: PreparedNames,
    around: Around = {},
    tenant?: string,
  ) {
    this.#tenant = tenant;
    this.#ahead = tenant === undefined ? 0 : around.before === undefined ? 1 : 2;
    this.#statement = statement;
    this.#values = values;
    this.#prepared = prepared;
    this.#around = around;
  }

  readonly answer = new Promise<StatementResult>((resolve, reject) => {
    this.#settle = { resolve, reject };
  });

  submit(connection: PgConnection): undefined {
    RowMessages.expect(connection, this);
    connection.stream.cork?.();
    try {
      sendPlain(connection, this.#around.before);
      if (this.#tenant !== undefined) sendTenant(connection, this.#tenant, this.#statement, this.#prepared);
      sendStatement(connection, this.#statement, this.#values, this.#prepared);
      sendPlain(connection, this.#around.after);
      // If one of these messages fails, the server skips the others up to the sync.
      connection.sync();
    } finally {
      connection.stream.uncork?.();
    }
  }

  get numbers(): Statement["numbers"] {
    return this.#ahead > 0 ? undefined : this.#statement.numbers;
  }

  addRow(values: readonly unknown[]): void {
    this.#rows.push(values);
  }

  handleDataRow({ fields }: { readonly fields: readonly unknown[] }): void {
    this.addRow(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.#ahead > 0) {
      this.#ahead--;
      this.#rows.length = 0;
      return;
    }
    this.#affected = Number(text.slice(text.lastIndexOf(" ") + 1)) || 0;
  }

  handleReadyForQuery(): void {
    this.#prepared.succeed();
    this.#settle.resolve({ rows: this.#rows, affected: this.#affected });
  }

  handleError(error: unknown): void {
    this.#prepared.fail();
    this.#settle.reject(error);
  }

  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

/** Runs a statement, and prepares it first if the connection doesn't know it. */
export function sendStatement(
  connection: PgConnection,
  { sql, name }: Statement,
  values: readonly unknown[],
  prepared: PreparedNames,
): void {
  if (name === undefined) connection.parse({ text: sql, name: "", types: [] });
  else {
    const { close, parses } = prepared.request(name, sql.length);
    for (const one of close) connection.close({ type: "S", name: one });
    if (parses) connection.parse({ text: sql, name, types: [] });
  }
  connection.bind({ portal: "", statement: name ?? "", values, valueMapper: toText });
  connection.execute({ portal: "", rows: 0 });
}

function sendPlain(connection: PgConnection, text: string | undefined): void {
  if (text === undefined) return;
  connection.parse({ text, name: "", types: [] });
  connection.bind({ portal: "", statement: "", values: [], valueMapper: toText });
  connection.execute({ portal: "", rows: 0 });
}

/** Sets the tenant until the transaction ends. Without one, the batch is a transaction (PostgreSQL, 55.2.4). */
export function sendTenant(
  connection: PgConnection,
  tenant: string,
  { name }: Statement,
  prepared: PreparedNames,
): void {
  sendStatement(connection, name === undefined ? SET_TENANT : NAMED_SET_TENANT, [tenant], prepared);
}

const SET_TENANT = {
  sql: `select set_config('${TENANT_SETTING}', $1, true)`,
  parameters: [],
  name: undefined,
} satisfies Statement;
/** Before a statement that is kept prepared. */
const NAMED_SET_TENANT = { ...SET_TENANT, name: "bifocal_tenant" } satisfies Statement;

/** Returns the text of a parameter. Lists become array literals (PostgreSQL, 8.15.2). */
export function toText(value: unknown): string | null {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    default:
      return Array.isArray(value) ? `{${value.map(itemText).join()}}` : null;
  }
}

function itemText(item: unknown): string {
  return typeof item === "string" ? `"${item.replace(/["\\]/g, "\\$&")}"` : (toText(item) ?? "null");
}
