import type { ResourceModel, Row } from "../../../model/model.ts";

type Value = Readonly<Record<string, unknown>>;

/** Returns the fields of a new row that its input omits because a hook sets them. */
export function omittedFields({ filledFields }: ResourceModel, row: Row | undefined): readonly string[] {
  if (row === undefined || filledFields.length === 0) return [];
  return filledFields.flatMap(({ name }) => (row[name] === undefined ? [name] : []));
}

/** Returns an input that detects whether a rule reads a field whose value isn't known yet. */
export function watchFields(
  value: Value,
  unknown: readonly string[],
): { readonly input: Value; readonly isLookedAt: () => boolean } {
  let isLookedAt = false;
  const input = { ...value };
  for (const name of unknown) {
    const get = (): undefined => {
      isLookedAt = true;
      return undefined;
    };
    Object.defineProperty(input, name, { enumerable: true, configurable: true, get });
  }
  return { input, isLookedAt: () => isLookedAt };
}
