import type { Principal, Translation } from "@bifocal/core";
import type { SqlStore } from "@bifocal/sql";
import type { AtlasApi } from "../create.ts";

export interface ReadStatement {
  readonly sql: string;
  readonly milliseconds: number;
  readonly rows: number;
}

const READS: ReadonlySet<string> = new Set(["get", "list", "aggregate"]);

/** Runs the reads among the translated operations, and returns their SQL statements. */
export async function explainReads(
  { api, store }: { readonly api: AtlasApi; readonly store: SqlStore },
  translations: readonly Translation[],
  principal: Principal | null,
): Promise<readonly ReadStatement[]> {
  const reads = translations.filter(({ operation }) => READS.has(operation.kind));
  if (reads.length === 0) return [];
  const caller = { principal, signal: undefined, requestId: () => "lens" };
  const { statements } = await store.explain(async () => {
    for (const { operation } of reads) await api.run(operation, caller);
  });
  return statements.map(({ sql, milliseconds, rows }) => ({ sql, milliseconds, rows }));
}
