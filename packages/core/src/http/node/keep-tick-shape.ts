let kept: object | undefined;

/**
 * Keeps `process.nextTick` fast. Node calls it several times per request, with an object for each call. A full collection
 * while none of them exists, as in an idle server, discards their hidden classes. From then on, V8 adds their properties
 * through its runtime. One object that stays alive prevents this.
 */
export function keepTickShape(): void {
  // Bun queues no such objects.
  if (kept !== undefined || "Bun" in globalThis) return;
  const { executionAsyncResource } = process.getBuiltinModule("node:async_hooks");
  process.nextTick(() => {
    kept = executionAsyncResource();
  });
}
