import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { COMPILER_OPTIONS } from "./compiler-options.ts";

const file = fileURLToPath(new URL("mistakes.ts", import.meta.url));
const text = readFileSync(file, "utf8");

/** The compiler's message for each mistake: the innermost sentence of every error. */
function diagnose(): ReadonlyMap<string, readonly string[]> {
  const program = ts.createProgram([file], COMPILER_OPTIONS);
  const source = program.getSourceFile(file);
  const found = new Map<string, string[]>();
  for (const { start = 0, messageText } of program.getSemanticDiagnostics(source)) {
    const title = text.slice(0, start).split("\n// # ").at(-1)?.split("\n", 1)[0] ?? "";
    const lines = ts.flattenDiagnosticMessageText(messageText, "\n").split("\n");
    found.set(title, [...(found.get(title) ?? []), (lines.at(-1) ?? "").trim()]);
  }
  return found;
}

test("every mistake is a compile error that names the problem", () => {
  const found = diagnose();
  const titles = [...text.matchAll(/^\/\/ # (.+)$/gm)].map(([, title]) => title).filter((title) => title !== "end");
  expect(new Set(found.keys())).toEqual(new Set(titles));
  expect(Object.fromEntries(found)).toMatchInlineSnapshot(`
    {
      "a field too few": [
        "Property 'authorId' is missing in type '{ id: string; title: string; price: number; }' but required in type '{ id: string; title: string; authorId: string; price: number; }'.",
      ],
      "a field too many": [
        "Object literal may only specify known properties, and 'isbn' does not exist in type '{ id: string; title: string; authorId: string; price: number; }'.",
      ],
      "a generated field that is not there": [
        "Property '"~mistake"' is missing in type 'Generator<string>' but required in type 'TypeMistake<"Unknown field 'isbn' in 'generated'.">'.",
      ],
      "a generated value of the wrong type": [
        "Property '"~mistake"' is missing in type 'Generator<string>' but required in type 'TypeMistake<"The generator of 'price' doesn't return the type of the field.">'.",
      ],
      "a key that isn't a field": [
        "Type '"isbn"' is not assignable to type '"id" | "authorId" | "title" | "price" | readonly ("id" | "authorId" | "title" | "price")[]'.",
      ],
      "a query on neither an item nor the collection": [
        "Type '"row"' is not assignable to type '"item" | "collection"'.",
      ],
      "a relation named as a field": [
        "Property '"~mistake"' is missing in type 'HasMany<"author", "id", 0, undefined>' but required in type 'TypeMistake<"A field is already named 'title'. Rename the relation.">'.",
      ],
      "a relation over a field that its target does not have": [
        "Property '"~mistake"' is missing in type 'Resource<"shelf", { row: { id: string; }; input: { id: string; }; relations: { readonly books: HasMany<"book", "shelfId", 0, undefined>; }; }>' but required in type 'TypeMistake<"Relation 'books' of 'shelf' uses 'shelfId', but 'book' has no such field.">'.",
      ],
      "a relation over an unknown field": [
        "Property '"~mistake"' is missing in type 'BelongsTo<"author", "writerId", 0, undefined>' but required in type 'TypeMistake<"Relation 'author' stores its key in 'writerId', but this resource has no such field.">'.",
      ],
      "a row filter of the wrong type": [
        "Type 'string' is not assignable to type 'number'.",
      ],
      "a rule on an unknown field": [
        "Object literal may only specify known properties, and 'isbn' does not exist in type '{ readonly id?: FieldRules<{ id: string; title: string; authorId: string; price: number; }, never>; readonly authorId?: FieldRules<{ id: string; title: string; authorId: string; price: number; }, never>; readonly title?: FieldRules<...>; readonly price?: FieldRules<...>; }'.",
      ],
      "a secret field that isn't internal": [
        "Type 'string' is not assignable to type 'TypeMistake<"Fields of 'secret' must be in 'internal', too.">'.",
      ],
      "a version that isn't a number": [
        "Type 'string' is not assignable to type 'TypeMistake<"'title' must be z.int(): it counts the writes of a row.">'.",
      ],
      "an action on neither an item nor the collection": [
        "Type '"row"' is not assignable to type '"item" | "collection"'.",
      ],
      "an action that returns the wrong type": [
        "Type 'string' is not assignable to type 'number | Promise<number>'.",
      ],
      "an action without a rule": [
        "Property 'access' is missing in type '{ on: "item"; run: () => null; }' but required in type 'Action<{ id: string; title: string; authorId: string; price: number; }, string, "item", unknown, unknown, never, { row: { id: string; title: string; authorId: string; price: number; }; input: { id: string; title: string; authorId: string; price: number; }; actions: { ...; }; }>'.",
      ],
      "an unknown field of a local call": [
        "Type 'boolean' is not assignable to type 'TypeMistake<"'titel' is neither a field nor a relation of 'book'.">'.",
      ],
      "an unknown field within a relation of a local call": [
        "Type 'boolean' is not assignable to type 'TypeMistake<"'titel' is neither a field nor a relation of 'book'.">'.",
      ],
      "an unknown relation target": [
        "Property '"~mistake"' is missing in type 'Resource<"author", { row: { id: string; name: string; }; input: { id: string; name: string; }; relations: { readonly books: HasMany<"book", "authorId", 0, undefined>; }; }>' but required in type 'TypeMistake<"Relation 'books' of 'author' names 'book', which is not among the resources of this API.">'.",
      ],
      "an unknown resource": [
        "Property 'magazine' does not exist on type 'Local<Resource<"author", { row: { id: string; name: string; }; input: { id: string; name: string; }; relations: { readonly books: HasMany<"book", "authorId", 0, undefined>; }; }> | Resource<...>>'.",
      ],
      "an unknown sort": [
        "Type '"-price"' is not assignable to type '"title" | "-title"'.",
      ],
      "filterable by an unknown field": [
        "Type '"titel"' is not assignable to type '"id" | "authorId" | "title" | "price"'. Did you mean '"title"'?",
      ],
      "half of the access": [
        "Property 'delete' is missing in type '{ read: () => true; create: () => true; update: () => true; }' but required in type 'Access<{ id: string; title: string; authorId: string; price: number; }, never, never>'.",
      ],
      "no access": [
        "Property 'access' is missing in type '{ fields: { id: z.ZodUUID; title: z.ZodString; authorId: z.ZodUUID; price: z.ZodNumber; }; }' but required in type 'ResourceConfig<{ fields: { id: ZodUUID; title: ZodString; authorId: ZodUUID; price: ZodNumber; }; relations: {}; generated: {}; computed: {}; computedName: never; computedFrom: never; ... 20 more ...; operations: never; }, { ...; }>'.",
      ],
      "sortable by an unknown field": [
        "Type '"titel"' is not assignable to type '"id" | "authorId" | "title" | "price"'. Did you mean '"title"'?",
      ],
    }
  `);
}, 60_000);
