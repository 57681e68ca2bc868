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
import { isSimpleValidDocument } from "../validate/is-simple-valid-document.ts";
import { createLru } from "../../util/lru.ts";
import { createSightings } from "../../util/sightings.ts";
import { measureDocument } from "./measure-document.ts";
import { suggestNodes } from "./suggest-nodes.ts";

/** A document that may be executed, or its errors. */
export type Checked =
  | {
      readonly document: DocumentNode;
      /**
       * Returns the operation with this name, or the only one if no name is given. Returns undefined if there is no
       * such operation, or if several exist and no name is given.
       */
      readonly operation: (name: string | undefined) => CompiledOperation | undefined;
      readonly errors?: never;
    }
  | { readonly document?: never; readonly operation?: never; readonly errors: readonly GraphQLError[] };

export type CheckDocument = (text: string) => Checked;

/**
 * Creates a function that parses and validates documents. It caches valid documents, up to `limits.graphql.cacheBytes`, and
 * evicts the least recently used ones. A document is cached from its second use on, so that documents that are used
 * once neither take memory nor displace others. Invalid documents are never cached: their errors refer to the whole
 * document, and clients can send any number of them.
 */
export function createDocumentCache(
  schema: GraphQLSchema,
  limits: Limits,
  { introspection, suggestions }: { readonly introspection: boolean; readonly suggestions: boolean },
): CheckDocument {
  const rules = [...specifiedRules];
  const errorOptions = { hideSuggestions: !suggestions, maxErrors: limits.graphql.documentErrors };
  if (!introspection) rules.push(NoSchemaIntrospectionCustomRule);
  const isIncremental = ["defer", "stream"].some((name) => schema.getDirective(name));
  const kept = createLru<Checked>(limits.graphql.cacheBytes);
  const wasSeen = createSightings();
  return (text) => {
    const before = kept.get(text);
    if (before !== undefined) return before;
    const checked = check(text, (estimate) => kept.grow(text, checked, estimate));
    if (checked.document !== undefined && isReused(text, checked.document)) {
      kept.set(text, checked, bytesOfDocument(checked.document));
    }
    return checked;
  };

  /** Subscribers share the results of one document object, so subscriptions are cached on their first use. */
  function isReused(text: string, { definitions }: DocumentNode): boolean {
    if (wasSeen(text)) return true;
    return definitions.some((one) => "operation" in one && one.operation === OperationTypeNode.SUBSCRIPTION);
  }

  function check(text: string, grow: Grow): Checked {
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens: limits.graphql.tokens });
      const excesses = measureDocument(document, limits);
      if (excesses.length > 0) return { errors: excesses };
    } catch (thrown) {
      return {
        errors: [thrown instanceof GraphQLError ? thrown : new GraphQLError("The document has a syntax error.")],
      };
    }
    if (isSimpleValidDocument(schema, document)) return { document, operation: rememberOperations(document, grow) };
    const errors = validate(schema, document, rules, errorOptions);
    if (errors.length === 0) return { document, operation: rememberOperations(document, grow) };
    return { errors: suggestions ? errors.map((error) => suggestNodes(schema, error)) : errors };
  }

  function rememberOperations(
    checked: DocumentNode,
    grow: Grow,
  ): (name: string | undefined) => CompiledOperation | undefined {
    const comesInParts = isIncremental && hasIncremental(checked);
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
      if (comesInParts) grow(() => bytesOfDocument(checked));
      compiled.set(name, made);
      return made;
    };
  }
}
