/** A construction that is hard to read, and a hint how to write it instead. */
export interface Rule {
  readonly id: string;
  /** How to write it instead. */
  readonly hint: string;
  readonly patterns: readonly RegExp[];
  /** Phrases that a pattern finds but that are good English. They are blanked before the patterns run. */
  readonly allowed?: RegExp;
}

const WORD_LIMIT = 40;

export const RULES: readonly Rule[] = [
  {
    id: "clause-as-subject",
    hint: "Start with the thing or the person that acts: `Requests that …`, `The client …`.",
    patterns: [
      /^["'(]*(?:what|whatever|who|whoever|whose|whichever|that which|how(?! (?:to|many|much|long|often)\b))\b(?!.*\?["')]*$)/i,
      /(?:[:;]|, (?:and|but|or)) (?:what|whatever|who|whoever) \w+(?: \w+)* (?:is|are|has|gets|goes|counts|costs|stays)\b/i,
      /\b(?:and|but|as|than|since|because|that|if|while) (?:what|whatever|whoever) (?:is|are|was|were|has|can|may)\b/i,
    ],
    allowed: /^what's (?:new|next)|^how it works$|^how (?:to|we) \w+(?: \w+)?$/i,
  },
  {
    id: "what-is",
    hint: "Name the thing: `the request body`, not `what is sent`.",
    patterns: [
      /\b(?:of|for|in|by|from|with|without|to|on|at|after|before|under|over|behind|between|beyond|beside|about|against|within|through) (?:what|whatever|who|whoever) (?:is|are|was|were|has|have|had|can|may|might|must|it|they|he|a|an|each|every|comes?|goes|asks?|calls?|reads?|writes?|does|would|could|belongs?)\b/i,
      /\b(?:all|everything|anything|nothing|much) (?:what|that (?:is|was|are|were) (?!needed|required|necessary|left))\b/i,
      /\ball else\b/i,
    ],
    allowed:
      /\b(?:see|learn|depends? on|regardless of|more about|information (?:on|about)|details? (?:on|about)|learn from) (?:what|who)\b/i,
  },
  {
    id: "reporting-verb",
    hint: "Use the verb for the action: report, state, set, query, request, return, receive.",
    patterns: [
      /\b(?:told|tells?|telling|untold)\b/i,
      /\b(?:said|says|saying)\b/i,
      /\bsay (?:so|no|yes|nothing|what|which|how|where|who|that|it|itself)\b/i,
      /\basked\b|\bwho asks?\b|\bask(?:s|ing)? (?:the|its|a|each|every|another) (?:database|store|server|schema|engine|bus|process|adapter|model)\b/i,
      /\b(?:heard|hears?|hearing) (?:of|in|by|from|what|it|nothing|again|about)\b|\b(?:is|are|was|were|be) heard\b/i,
    ],
    allowed:
      /\bfrequently asked\b|\b(?:error|message|text|comment|specification|RFC \d+|warning|page|log) says\b|\btell (?:you|us|it|the \w+|[A-Z]\w+|`x`) (?:to|that|whether|which|how)\b/i,
  },
  {
    id: "negated-noun",
    hint: "Negate the verb or say what happens: `isn't a store`, `has no rows`.",
    patterns: [
      /\b(?:is|are|was|were|be) (?:no|none)\b(?! (?:longer|more|less|fewer|later|earlier|larger|slower|worse|better)\b)/i,
      /\bnone (?:of|is|are|was|were|that|to|has|have)\b/i,
      /\b(?:needs?|takes?|keeps?|with|for) none\b/i,
      /\bneither (?:yes|is|are|of)\b/i,
    ],
    allowed: /\bthere (?:is|are|was|were) no (?!\w+ (?:is|are) no\b)[\w`{]+|\bif there (?:is|are) none\b/i,
  },
  {
    id: "inverted-condition",
    hint: "Write `if` or `when`, then the normal word order.",
    patterns: [
      /^where(?!\s+(?:to|is|are|does|do)\b).{4,}[,:]/i,
      /^(?:should|were|had) (?:the|a|an|it|they|you|this|that)\b(?!.*\?$)/i,
      /\b(?:never|only|not|but|except|also|even) where\b/i,
      /\bbe (?:it|they) (?:a|an|the|by|in|for)\b/i,
      /^once only\b/i,
      /\b(?:not|never) (?:only )?(?:at|in|by|for) all (?:where|but)\b/i,
    ],
  },
  {
    id: "fronted-preposition",
    hint: "Start with the subject. Put `of …`, `by …` after the noun, or use `if` or `for`.",
    patterns: [
      /^(?:of|beside|besides|amid|among|upon|against|past|by what|in what|to what|from what)\b(?! course\b)/i,
      /(?:[:;]|, (?:and|but|or)) of (?:the|a|an|two|several|each|every|one|those|these|such)\b/i,
      /^(?:with|without|from|to|by|into) (?:it|them|that|this|these|those|one|none|which)\b.*\b(?:is|are|goes?|comes?)\b/i,
    ],
  },
  {
    id: "indefinite-actor",
    hint: "Name the actor: the client, the caller, another process, an anonymous user.",
    patterns: [
      /\b(?:nobody|no one|somebody|anybody|everybody|whoever|whomever|one another's|one's)\b/i,
      /\bstrangers?\b/i,
    ],
  },
  {
    id: "one-as-noun",
    hint: "Repeat the noun instead of `one`.",
    patterns: [
      /\b(?:of|exceeds?|without|as|than|by|to|from|in) one(?=[.,;:)]| (?:is|was|that|who|which|has|may)\b)/i,
      /\b(?:the|a) one (?:that|who|which|in|of|by)\b/i,
      /^one (?:that|who|which|is)\b|\bsuch (?:a one|as has|as have)\b/i,
    ],
    allowed: /\bthe one (?:place|file|function|table|kind)\b|\bto one\b|\bas one [a-z]+/i,
  },
  {
    id: "private-idiom",
    hint: "Use the word that a reader would search for (see docs/glossary.md).",
    patterns: [
      /\banew\b|\bso many\b|\bso much\b(?! (?:as|that|more|less)\b)|\bin a while\b|\bin silence\b|\bat its end\b|\bfor itself alone\b/i,
      /\b(?:it|they|that|there) (?:is|are|was|were) (?:as (?:it|they) (?:is|are|was|were)|there|gone|out already)\b/i,
      /\bas (?:it|they) (?:is|are|was|were)(?=[.,;:)]|$| (?:in|of|and|or)\b)/i,
      /\b(?:is|are) gone\b|\b(?:is|are) (?:their|its|his) own\b|\b(?:of|are|is) (?:ours|theirs)\b/i,
      /\b(?:take|takes|took|taken|given?|gives|gave) (?:back|away|in return)\b|\b(?:bring|brings|brought) along\b/i,
      /\bin (?:the|its|their|each other's|another's) way\b/i,
      /\bstands?\b(?! (?:for|alone)\b)|\bstood\b|\bstanding (?:in|beside|for|there)\b/i,
      /\b(?:lies|lay|lie|lying) (?:in|beside|apart|behind|there|where)\b/i,
      /\b(?:besides|lest|albeit|thereof|therein|whereof|wherein|whereby|hence|henceforth|thither|hitherto)\b/i,
      /\b(?:all else|the like|by far not|as well as may be|for good and all|much the same|for the rest)\b/i,
      /\bcomes? to nothing\b|\bmakes? nothing\b|\bloses? nothing\b|\bgoes? (?:without|beyond|past) (?:it|that|them)\b/i,
    ],
    allowed: /\b(?:by|in) the way (?:that|of|you|it)\b|\bthe same way\b|\bin its way\b$|\bdata lies\b/i,
  },
  {
    id: "modal-riddle",
    hint: "Say `can`, `must`, `must not` or `might`; avoid `may not` and `is to be`.",
    patterns: [
      /\b(?:may|can|could|might|must) be (?:had|told|known of|asked|said|heard)\b/i,
      /\b(?:is|are|was|were) (?:to be|to have)\b(?! (?:able|continued)\b)/i,
      /(?<!may or )\bmay not\b/i,
      /\b(?:wants|want) to be\b|\bneed not\b|\b(?:dare|ought)\b/i,
    ],
  },
  {
    id: "answers-for-returns",
    hint: "A method returns, a server responds with, a request fails with.",
    patterns: [
      /\b(?:is|are|was|were|be|been|being) answered\b|\banswered (?:with|by|as|from|in|whole|at|without|like|before|after|once)\b/i,
      /\banswers? (?:with |by |as )?(?:\d{3}\b|`|a |an |the |nothing\b|null\b|that\b|it\b|each\b|every\b|one\b|for\b|no\b|in\b|from\b|all\b)/i,
    ],
    allowed:
      /\b(?:the|an|this|that|its|each|every|no|one|whole|of|these|those|more|other) answers? (?:with|by|as|for|in|from|that|it)\b|\banswers? (?:the|a) (?:close frame|ping|question)\b/i,
  },
  {
    id: "delete-not-remove",
    hint: "A row is deleted; a link or a list item is removed; a row leaves a view.",
    patterns: [
      /\bremov(?:e|es|ed|ing) (?:a|the|all|its|each|every|other|hidden|many|two|these|those) (?:rows?|books?|authors?|records?)\b/i,
    ],
  },
  {
    id: "american-spelling",
    hint: "Use American spelling: color, behavior, license, canceled, serialize.",
    patterns: [
      /\b(?:behaviours?|colour\w*|favour\w*|honour\w*|neighbour\w*|labour\w*|catalogue[sd]?|artefacts?|centres?|licences?|defences?|analyse[sd]?|whilst|amongst|cancell(?:ed|ing)|label(?:led|ling)|model(?:led|ling)|travell(?:ed|ing|er)|grey|judgement|fulfil|ageing|programme)\b/i,
      /\b(?:serial|normal|author|initial|organ|optim|minim|maxim|recogn|real|summar|custom|canonical|token|final|special|general|synchron|util|capital|categor|standard|prior|emphas|penal|stabil|random)is(?:e|es|ed|ing|ation|er)\b/i,
    ],
  },
  {
    id: "stacked-clauses",
    hint: "One fact per sentence. Use several sentences or a list.",
    patterns: [/;[^;]+;.*\.$/, /: [^:;]+; [^:]+: .*\.$/],
  },
  {
    id: "long-sentence",
    hint: `Split it: at most ${WORD_LIMIT} words, most sentences under 25.`,
    patterns: [],
  },
];

/** Returns the first rule that a sentence breaks. */
export function findBrokenRule(sentence: string): Rule | undefined {
  return RULES.find((rule) => breaks(rule, sentence));
}

function breaks(rule: Rule, sentence: string): boolean {
  if (rule.id === "long-sentence") return sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > WORD_LIMIT;
  const { allowed, patterns } = rule;
  const text = allowed === undefined ? sentence : sentence.replaceAll(new RegExp(allowed.source, "gi"), "_");
  return patterns.some((pattern) => pattern.test(text));
}
