import type { SchemaPlan } from "./schema-plan.ts";
import type { Answered } from "./send.ts";

const isAggregate = (asked: string): boolean => /aggregate=|Aggregate/.test(asked);

/** Whether a successful response shows a feature. */
const SHOWN: Readonly<Record<string, (answered: Answered, plan: SchemaPlan) => boolean>> = {
  having: ({ asked, text }) => /having(\[|:|\])/.test(asked) && text.includes('"count":'),
  "min and max": ({ asked, text }) =>
    isAggregate(asked) && /\b(min|max)(\.| \{)/.test(asked) && /"(min|max)":/.test(text),
  "groups of one row": ({ asked, text }) => isAggregate(asked) && /"count":1\b/.test(text),
  decimals: ({ text }, { fields }) => fields.some(({ kind }) => kind === "decimal") && /"(-1\.50|9\.99)"/.test(text),
  "principalId()": ({ text }) => /"createdBy":"\w/.test(text),
  "keys in REST": ({ asked }) => asked.includes('"idempotency-key"') && !asked.includes(" /graphql"),
  "keys in GraphQL": ({ asked }) => /idempotency-?key/i.test(asked) && asked.includes(" /graphql"),
  queries: ({ asked }) => /\/(near|alike|digest|survey)\b|\b(near|alike|digest|survey)Rows?\b/.test(asked),
  links: ({ asked }) => /"tags":|tags: /.test(asked),
  search: ({ asked, text }) => /[?&]q=|search(:|")/.test(asked) && text.includes('"id":'),
  "deleted rows": ({ asked, text }) => /[?&]deleted=|deleted: (ONLY|WITH)/.test(asked) && /"id":/.test(text),
  restore: ({ asked }) => /\/restore\b|restoreRow/.test(asked),
  history: ({ asked, text }) => /history/.test(asked) && /"changes":\[\{/.test(text),
  traits: ({ asked }, { hasTraits }) => hasTraits && /rows|Row/.test(asked),
  "references of two fields": ({ asked }, { referencesGroup }) => referencesGroup && /"boxId":\S/.test(asked),
};

export const FEATURES: readonly string[] = Object.keys(SHOWN);

export function featuresOf(plan: SchemaPlan, answered: Answered): readonly string[] {
  return FEATURES.filter((feature) => SHOWN[feature]?.(answered, plan));
}
