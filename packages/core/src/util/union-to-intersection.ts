/** The intersection of the members of a union, as in type-fest. */
export type UnionToIntersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  member: infer Intersection,
) => void
  ? // Keeps the constraint of the union, as far as it has one.
    Intersection & Union
  : never;
