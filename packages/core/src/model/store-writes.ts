/** Which writes there are for the rows of a resource. */
export interface StoreWrites {
  readonly create: boolean;
  readonly update: boolean;
  readonly remove: boolean;
}

/** Whether there is any: where nothing is written, nothing is linked. */
export function hasWrites({ create, update, remove }: StoreWrites): boolean {
  return create || update || remove;
}
