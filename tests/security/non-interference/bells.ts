import type { SchemaPlan } from "./schema-plan.ts";
import { valueAt } from "./state.ts";
import type { ChangeKind, Stream } from "./streams.ts";
import { toCode } from "./values.ts";
import type { World } from "./world.ts";

/** The first of the ids of rows that are not bells. */
const BEYOND = 2_000;
/** Milliseconds until the next bell. Rows are read when an event is sent, so a deleted row sends none. */
const TIMEOUT = 150;
const MAX_BELLS = 50;

/** Writes bells until every stream has sent one, so that all earlier events have been sent. */
export async function ring(
  plan: SchemaPlan,
  { system, callNext, nextBell }: World,
  streams: readonly Stream[],
): Promise<void> {
  const waiting = new Set(streams.filter(({ isRefused }) => !isRefused));
  const keys: number[] = [];
  const listen = async (kind: ChangeKind): Promise<void> => {
    const listening = [...waiting].filter((one) => one.kind === kind);
    await Promise.all(
      listening.map(async (stream) => {
        if (await stream.record.rings(keys, TIMEOUT)) waiting.delete(stream);
      }),
    );
  };
  const drawn = toCode(plan.fields, Object.fromEntries(plan.fields.map((field) => [field.name, valueAt(field, 0)])));
  for (let times = 0; waiting.size > 0; times++) {
    if (times === MAX_BELLS) throw new Error("A stream sends nothing.");
    const key = nextBell();
    keys.push(key);
    callNext(key);
    const bell = { color: 1, size: 1, ownerId: "carl", boxId: null, ...drawn };
    const { id } = await system.row.create(plan.hasClientKeys ? { id: key, ...bell } : bell);
    callNext(BEYOND);
    await listen("created");
    await system.row.update(id, { size: 2 });
    await listen("updated");
    await system.row.delete(id);
    await listen("deleted");
  }
}
