/**
 * The members of a type as one plain object, so that editors show them instead of the types they were built from. The
 * same as in type-fest, whose index takes millions of type instantiations to check with `skipLibCheck: false`.
 */
export type Simplify<T> = { [Name in keyof T]: T[Name] } & {};
