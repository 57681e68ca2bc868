import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import type { Limits } from "../../operation/limits.ts";
import { type CompiledOperation, compileOperation } from "../compile/compile-operation.ts";
import { hasIncremental, withoutIncremental } from "../incremental/directives.ts";
import { isPlainlyValid } from "../validate/is-plainly-valid.ts";
import { createLru } from "../../util/lru.ts";
import { measureDocument } from "./measure-document.ts";

/** A document that may be executed, or why not. */
export type Checked =
  | {
      readonly document: DocumentNode;
      /** The operation of this name, or the only one; undefined where there is no such, or more than one. */
      readonly operation: (name: string | undefined) => CompiledOperation | undefined;
      readonly errors?: never;
    }
  | { readonly document?: never; readonly operation?: never; readonly errors: readonly GraphQLError[] };

export type CheckDocument = (text: string) => Checked;

/** Characters of all texts that are kept; a checked document takes some ten times as many bytes. */
const KEPT = 1_048_576;
/** What a document takes that its text does not tell, in characters. */
const OVERHEAD = 256;

/** Parses and validates, and keeps the result of the texts used last: the same text is checked once. */
export function createDocuments(
  schema: GraphQLSchema,
  limits: Limits,
  { introspection, suggestions }: { readonly introspection: boolean; readonly suggestions: boolean },
): CheckDocument {
  const rules = [...specifiedRules];
  const errorOptions = { hideSuggestions: !suggestions, maxErrors: limits.documentErrors };
  if (!introspection) rules.push(NoSchemaIntrospectionCustomRule);
  const kept = createLru<Checked>(KEPT);
  return (text) => {
    const before = kept.get(text);
    if (before !== undefined) return before;
    const checked = check(text);
    kept.set(text, checked, text.length + OVERHEAD);
    return checked;
  };

  function check(text: string): Checked {
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens: limits.documentTokens });
      const excesses = measureDocument(document, limits);
      if (excesses.length > 0) return { errors: excesses };
    } catch (thrown) {
      return { errors: [thrown instanceof GraphQLError ? thrown : new GraphQLError("The document cannot be parsed.")] };
    }
    if (isPlainlyValid(schema, document)) return { document, operation: rememberOperations(document) };
    const errors = validate(schema, document, rules, errorOptions);
    return errors.length === 0 ? { document, operation: rememberOperations(document) } : { errors };
  }

  function rememberOperations(checked: DocumentNode): (name: string | undefined) => CompiledOperation | undefined {
    const comesInParts = hasIncremental(checked);
    const document = comesInParts ? withoutIncremental(checked) : checked;
    const compiled = new Map<string | undefined, CompiledOperation>();
    return (name) => {
      const before = compiled.get(name);
      if (before !== undefined) return before;
      const operation = getOperationAST(document, name);
      if (operation === null || operation === undefined) return undefined;
      const original = comesInParts ? getOperationAST(checked, name) : undefined;
      const inParts = original ? { document: checked, operation: original } : undefined;
      const made = compileOperation({ schema, ...errorOptions }, document, operation, inParts);
      compiled.set(name, made);
      return made;
    };
  }
}
