import type { ChangeMessage } from "../../events/change-event.ts";
import type { ChangeSource, SourceObserver } from "../../events/change-source.ts";
import { FanOut } from "./fan-out.ts";

interface Receiver {
  readonly next: (message: ChangeMessage) => void;
  readonly endAll: () => void;
}

/** The groups of a resource, by the text of their operation. They share one subscription to its changes. */
export class Feed<Group extends Receiver> extends FanOut<string, Group> {
  readonly #source: ChangeSource;
  readonly #resource: string;

  constructor(source: ChangeSource, resource: string) {
    super();
    this.#source = source;
    this.#resource = resource;
  }

  /** Delivers to a single observer, which receives the changes since `after` first. */
  resume(observer: SourceObserver, after: string): () => void {
    return this.#source.subscribe(this.#resource, observer, after);
  }

  endAll(): void {
    for (const group of this.members.values()) group.endAll();
  }

  protected open(): () => void {
    return this.#source.subscribe(this.#resource, {
      next: (message: ChangeMessage) => {
        for (const group of this.members.values()) group.next(message);
      },
    });
  }
}
