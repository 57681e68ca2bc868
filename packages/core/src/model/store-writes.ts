/** The kinds of writes that a resource's store supports. */
export interface StoreWrites {
  readonly create: boolean;
  readonly update: boolean;
  readonly delete: boolean;
}

/** Whether any write is supported. Without writes there are no links either. */
export function hasWrites(writes: StoreWrites): boolean {
  return writes.create || writes.update || writes.delete;
}
