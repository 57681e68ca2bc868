/** Adds the indefinite article: `an author`, `a book`. */
export function withArticle(name: string): string {
  // These words start with the sound of a consonant: a user, a unit, a European, a one-time code.
  const isConsonant = /^(?:[^aeiou]|uni|use|usa|uti|ura|eu|one)/i.test(name);
  return `${isConsonant ? "a" : "an"} ${name}`;
}

/** Adds the indefinite article at the start of a sentence: `An author`. */
export function capitalArticle(name: string): string {
  return withArticle(name).replace(/^a/, "A");
}
