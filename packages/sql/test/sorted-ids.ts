interface Page {
  readonly items: readonly { readonly id: number }[];
  readonly hasNext: boolean;
  readonly endCursor: string | null;
}

/** Reads the pages of a list one after the other. Returns the ids, and stops after `max` of them. */
export async function sortedIds(
  list: (page: { readonly size: number; readonly after?: string }) => Promise<Page>,
  size: number,
  max: number,
): Promise<readonly number[]> {
  const ids: number[] = [];
  let after: string | null = null;
  do {
    const page: Page = await list({ size, ...(after !== null && { after }) });
    ids.push(...page.items.map(({ id }) => id));
    after = page.hasNext ? page.endCursor : null;
  } while (after !== null && ids.length < max);
  return ids;
}
