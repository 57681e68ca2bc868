import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import type { Limits } from "../../limits/limits.ts";
import { bytesOfDocument, type Grow } from "../compile/document-bytes.ts";
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

/** Characters of the texts that are remembered as having come once. */
const SEEN = 1_048_576;
/** Estimated overhead of an entry, in characters. */
const OVERHEAD = 128;

/**
 * Parses and validates, and keeps the valid documents that were used last, up to `limits.documentBytes`. A document is kept
 * from its second use on, so that documents which come once neither take memory nor displace others. Invalid ones are
 * never kept: their errors hold the whole document, and anybody can invent more of them.
 */
export function createDocuments(
  schema: GraphQLSchema,
  limits: Limits,
  { introspection, suggestions }: { readonly introspection: boolean; readonly suggestions: boolean },
): CheckDocument {
  const rules = [...specifiedRules];
  const errorOptions = { hideSuggestions: !suggestions, maxErrors: limits.documentErrors };
  if (!introspection) rules.push(NoSchemaIntrospectionCustomRule);
  const kept = createLru<Checked>(limits.documentBytes);
  const seen = createLru<true>(SEEN);
  return (text) => {
    const before = kept.get(text);
    if (before !== undefined) return before;
    const checked = check(text, (bytes) => kept.grow(text, checked, bytes));
    if (checked.document !== undefined && isReused(text, checked.document)) {
      kept.set(text, checked, bytesOfDocument(checked.document));
    }
    return checked;
  };

  /** Subscribers share what is written for a document, so the first of them may not have one of its own. */
  function isReused(text: string, { definitions }: DocumentNode): boolean {
    if (seen.get(text) === true) return true;
    seen.set(text, true, text.length + OVERHEAD);
    return definitions.some((one) => "operation" in one && one.operation === OperationTypeNode.SUBSCRIPTION);
  }

  function check(text: string, grow: Grow): Checked {
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens: limits.documentTokens });
      const excesses = measureDocument(document, limits);
      if (excesses.length > 0) return { errors: excesses };
    } catch (thrown) {
      return {
        errors: [thrown instanceof GraphQLError ? thrown : new GraphQLError("The document has a syntax error.")],
      };
    }
    if (isPlainlyValid(schema, document)) return { document, operation: rememberOperations(document, grow) };
    const errors = validate(schema, document, rules, errorOptions);
    return errors.length === 0 ? { document, operation: rememberOperations(document, grow) } : { errors };
  }

  function rememberOperations(
    checked: DocumentNode,
    grow: Grow,
  ): (name: string | undefined) => CompiledOperation | undefined {
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
      const made = compileOperation({ schema, ...errorOptions, grow }, document, operation, inParts);
      if (comesInParts) grow(bytesOfDocument(checked));
      compiled.set(name, made);
      return made;
    };
  }
}
