import type { ChangeSource } from "../../events/change-source.ts";
import type { Lane } from "./lane.ts";

/** A single subscription to the source of changes for all lanes of a resource. It ends with the last lane. */
export class Feed {
  readonly #lanes = new Set<Lane>();
  readonly #unsubscribe: () => void;
  readonly #abandon: () => void;

  constructor(source: ChangeSource, resource: string, abandon: () => void) {
    this.#abandon = abandon;
    this.#unsubscribe = source.subscribe(resource, {
      next: (message) => {
        for (const lane of this.#lanes) lane.push(message);
      },
    });
  }

  add(lane: Lane): void {
    this.#lanes.add(lane);
  }

  remove(lane: Lane): void {
    this.#lanes.delete(lane);
    if (this.#lanes.size > 0) return;
    this.#unsubscribe();
    this.#abandon();
  }
}
