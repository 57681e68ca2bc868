/** The kinds of writes that a resource's store supports. */
export interface StoreWrites {
  readonly create: boolean;
  readonly update: boolean;
  readonly remove: boolean;
}

/** Whether any write is supported. Without writes there are no links either. */
export function hasWrites({ create, update, remove }: StoreWrites): boolean {
  return create || update || remove;
}
