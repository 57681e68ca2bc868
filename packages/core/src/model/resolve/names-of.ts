/** Returns the names of all options of a type. Doesn't compile if one is missing, so that no new option is reported as unknown. */
export function namesOf<T>(names: Readonly<Record<keyof Required<T>, true>>): readonly (keyof T & string)[] {
  return Object.keys(names) as (keyof T & string)[];
}
