/** Members that share one source. The source is opened for the first member and closed after the last one. */
export abstract class FanOut<Key, Member> {
  /** In the order in which they were added. */
  protected readonly members = new Map<Key, Member>();
  #close: (() => void) | undefined;

  /** Opens the source. It may deliver before this returns. Returns a function that closes it. */
  protected abstract open(): () => void;

  abstract endAll(): void;

  get(key: Key): Member | undefined {
    return this.members.get(key);
  }

  add(key: Key, member: Member): void {
    this.members.set(key, member);
    this.#close ??= this.open();
  }

  delete(key: Key): void {
    if (!this.members.delete(key) || this.members.size > 0) return;
    this.#close?.();
    this.#close = undefined;
  }
}
