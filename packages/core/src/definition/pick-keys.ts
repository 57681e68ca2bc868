// `& {}` makes TypeScript show the fields instead of the name of the type.

/** The members of `T` with these names, in their order. */
export type Pluck<T, Names> = { [K in keyof T as K extends Names ? K : never]: T[K] } & {};

/** The members of `T` without those with these names, in their order. */
export type Without<T, Names> = { [K in keyof T as K extends Names ? never : K]: T[K] } & {};
