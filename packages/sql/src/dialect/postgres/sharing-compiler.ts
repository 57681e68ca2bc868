import { type CompiledQuery, PostgresQueryCompiler, type QueryId, type RootOperationNode } from "kysely";
import { SharedSlot } from "../../statement/slot.ts";

/** Compiles each occurrence of a shared slot to the same parameter. */
export class SharingCompiler extends PostgresQueryCompiler {
  readonly #placeholders = new Map<SharedSlot, string>();

  override compileQuery(node: RootOperationNode, id: QueryId): CompiledQuery {
    this.#placeholders.clear();
    return super.compileQuery(node, id);
  }

  protected override appendValue(parameter: unknown): void {
    if (!(parameter instanceof SharedSlot)) return super.appendValue(parameter);
    const known = this.#placeholders.get(parameter);
    if (known !== undefined) return this.append(known);
    super.appendValue(parameter);
    this.#placeholders.set(parameter, this.getCurrentParameterPlaceholder());
  }
}
