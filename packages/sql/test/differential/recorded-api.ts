import { defineApi, memoryBus, silentLog, type Store } from "@bifocal/core";
import { createResources, type ModelPlan } from "./model.ts";
import type { UntypedApi } from "./run-api-step.ts";

/** An API and its committed changes. */
export interface RecordedApi extends UntypedApi {
  /** Opens the store. */
  readonly open: () => Promise<void>;
  readonly changes: () => Promise<readonly unknown[]>;
}

/** Every model and selection is small enough. */
const LIMITS = { query: { cost: 1e9, filterScans: 1_000 } };

interface Change {
  readonly resource: string;
}

/** The changes of a store without a change log come from the bus. */
export function createRecordedApi(plan: ModelPlan, store: Store): RecordedApi {
  const bus = memoryBus();
  const sent: Change[] = [];
  bus.subscribe({
    message: (text) => sent.push(...((JSON.parse(text) as { changes?: readonly Change[] }).changes ?? [])),
    missed: () => {},
  });
  const [first] = plan.resources;
  const api = defineApi({
    resources: createResources(plan),
    store,
    log: silentLog,
    warnings: false,
    limits: LIMITS,
    events: { bus },
  }) as unknown as UntypedApi;
  return {
    ...api,
    close: () => api.close(),
    open: async () => void (await api.local[first?.name as string]?.["list"]?.({ page: { size: 1 } }).catch(() => {})),
    async changes() {
      await store.changeLog?.advance();
      const page = await store.changeLog?.read({ after: 0, limit: 10_000 });
      const all = page?.kind === "page" ? page.changes.map(({ draft }) => draft) : sent;
      return all.filter(({ resource }) => !resource.endsWith("History"));
    },
  };
}
