import DataLoader from "dataloader";
import { buildSchema, GraphQLError, type GraphQLSchema, isObjectType } from "graphql";
import {
  addNote,
  authorById,
  booksOf,
  byId,
  firstAuthors,
  firstPage,
  type NoteInput,
  reviewsOf,
} from "../src/by-hand.ts";
import { addEdition, type EditionInput, problemOf } from "../src/editions.ts";
import type { AuthorRow, BookRow, ReviewRow } from "../src/rows.ts";

export const typeDefs = `
  type Author { id: ID! name: String! country: String! books(first: Int!): BookConnection! }
  type AuthorConnection { nodes: [Author!]! }
  type Book {
    id: ID! title: String! authorId: ID! year: Int! price: Float! genre: String! summary: String! author: Author!
    reviews(first: Int!): ReviewConnection!
  }
  type BookConnection { nodes: [Book!]! }
  type Review { id: ID! bookId: ID! stars: Int! text: String! }
  type ReviewConnection { nodes: [Review!]! }
  type Note { id: ID! title: String! year: Int! price: Float! }
  input CreateNoteInput { title: String! year: Int! price: Float! }
  type Edition {
    id: ID! title: String! authorId: ID! year: Int! price: Float! inStock: Boolean! isbn: String! tags: [String!]!
  }
  input CreateEditionInput {
    title: String! authorId: ID! year: Int! price: Float! inStock: Boolean! isbn: String! tags: [String!]!
  }
  type Query { book(id: ID!): Book books(first: Int!): BookConnection! authors(first: Int!): AuthorConnection! }
  type Mutation { createNote(input: CreateNoteInput!): Note! createEdition(input: CreateEditionInput!): Edition! }
`;

interface First {
  readonly first: number;
}

/** The checks that Bifocal does on a note. The schema has checked the types. */
function checkNote({ title, price }: NoteInput): void {
  if (title.length < 1 || title.length > 200) throw new GraphQLError("title is 1 to 200 characters.");
  if (price < 0) throw new GraphQLError("price is at least 0.");
}

export const rootResolvers = {
  Query: {
    book: (_: unknown, { id }: { id: string }) => byId.get(id) ?? null,
    books: (_: unknown, { first }: First) => ({ nodes: firstPage(first) }),
    authors: (_: unknown, { first }: First) => ({ nodes: firstAuthors(first) }),
  },
  Mutation: {
    createNote: (_: unknown, { input }: { input: NoteInput }) => {
      checkNote(input);
      return addNote(input);
    },
    createEdition: (_: unknown, { input }: { input: EditionInput }) => {
      const problem = problemOf(input);
      if (problem !== undefined) throw new GraphQLError(problem);
      return addEdition(input);
    },
  },
};

export interface Loaders {
  readonly author: DataLoader<string, AuthorRow | undefined>;
  readonly books: DataLoader<string, readonly BookRow[]>;
  readonly reviews: DataLoader<string, readonly ReviewRow[]>;
}

/** Creates the context of one request. */
export function createLoaders(): Loaders {
  return {
    author: new DataLoader(async (ids) => ids.map((id) => authorById.get(id))),
    books: new DataLoader(async (ids) => ids.map((id) => booksOf(id))),
    reviews: new DataLoader(async (ids) => ids.map((id) => reviewsOf(id))),
  };
}

async function connection<Row>(rows: Promise<readonly Row[]>, first: number): Promise<{ nodes: readonly Row[] }> {
  return { nodes: (await rows).slice(0, first) };
}

const relationResolvers = {
  Author: { books: ({ id }: AuthorRow, { first }: First, { books }: Loaders) => connection(books.load(id), first) },
  Book: {
    author: ({ authorId }: BookRow, _: unknown, { author }: Loaders) => author.load(authorId),
    reviews: ({ id }: BookRow, { first }: First, { reviews }: Loaders) => connection(reviews.load(id), first),
  },
};

/** Creates the schema for servers that use graphql-js or graphql-jit. Mercurius has its own loaders. */
export function createSchema(): GraphQLSchema {
  const schema = buildSchema(typeDefs);
  for (const [name, resolvers] of Object.entries({ ...rootResolvers, ...relationResolvers })) {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`The schema has no type ${name}.`);
    for (const [field, resolve] of Object.entries(resolvers)) Object.assign(type.getFields()[field] ?? {}, { resolve });
  }
  return schema;
}
