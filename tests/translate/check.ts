import type { TranslationSource } from "@bifocal/core";
import { expect } from "vitest";
import { readAgain, STYLES, type TranslatingApi, textOf } from "./read-again.ts";

/** Counts, for each kind of operation, how often each style expressed it. */
export type Counts = Map<string, { asked: number; rest: number; graphql: number; client: number }>;

/** Translates a request, and reads each result again. */
export async function check(api: TranslatingApi, source: TranslationSource, counts: Counts): Promise<void> {
  for (const translation of await api.translate(source)) {
    const { operation } = translation;
    const entry = counts.get(operation.kind) ?? { asked: 0, rest: 0, graphql: 0, client: 0 };
    counts.set(operation.kind, entry);
    entry.asked += 1;
    for (const style of STYLES) {
      const again = await readAgain(api, translation, style);
      if (again === undefined) continue;
      expect({ form: translation[style], operation: again }).toEqual({
        form: translation[style],
        operation: textOf(api, operation),
      });
      entry[style] += 1;
    }
  }
}

export type Shares = Readonly<Record<string, readonly [rest: number, graphql: number, client: number]>>;

/** Returns the kinds of operations and styles that expressed fewer requests than the least share, or that are unknown. */
export function tooFew(counts: Counts, least: Shares): readonly string[] {
  const missing = Object.keys(least).filter((kind) => !counts.has(kind));
  const found = [...counts].flatMap(([kind, entry]) =>
    STYLES.filter((style, index) => !(entry[style] / entry.asked >= (least[kind]?.[index] ?? Infinity))).map(
      (style) => `${kind} in ${style}: ${entry[style]} of ${entry.asked}`,
    ),
  );
  return [...missing, ...found];
}
