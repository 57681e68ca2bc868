import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { isSimpleValidDocument } from "./is-simple-valid-document.ts";

const schema = buildSchema(`
  enum Kind { A B }
  input Inner { name: String!, kinds: [Kind!], more: Inner, size: Int! = 3 }
  input One @oneOf { a: Int, b: Int }
  interface Named { name: String }
  type Thing implements Named { id: ID!, name: String, things(first: Int = 5, where: Inner): [Thing!]! }
  type Query { thing(id: ID!): Thing, named: Named, one(of: One): Int }
  type Mutation { make(input: Inner!): Thing! }
  type Subscription { made: Thing!, lost: Thing }
`);

test.each([
  `{ thing(id: 1) { id name } }`,
  `{ __typename a: thing(id: "1") { __typename things { id } } b: thing(id: "2") { things(first: 2) { name } } }`,
  `query ($id: ID!, $first: Int, $on: Boolean = true) { thing(id: $id) { things(first: $first) @include(if: $on) { id } } }`,
  `query ($where: Inner) { thing(id: 1) { things(where: $where) { id } } }`,
  `query ($name: String!, $kind: Kind!) { thing(id: 1) { things(where: { name: $name, kinds: [A, $kind] }) { id } } }`,
  `query ($size: Int) { thing(id: 1) { things(where: { name: "a", size: $size }) { id } } }`,
  `{ thing(id: 1) { ...Parts ...Parts ... on Thing { id } ... { name } } } fragment Parts on Thing { id things { ...Leaf } } fragment Leaf on Thing { name }`,
  `{ thing(id: 1) { things { id } } thing(id: 1) { things { name } } }`,
  `query A { thing(id: 1) { ...P } } query B { thing(id: 2) { ...P } } fragment P on Thing { id }`,
  `mutation { make(input: { name: "a", kinds: B, more: { name: "b" } }) { id } }`,
  `subscription { made { id } }`,
])("%s", (text) => {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  expect(isSimpleValidDocument(schema, document)).toBe(true);
});

test.each([
  `{ thing { id } }`,
  `{ thing(id: 1) { nothing } }`,
  `{ thing(id: 1) }`,
  `{ thing(id: 1) { id { id } } }`,
  `{ thing(id: 1, id: 2) { id } }`,
  `{ thing(id: 1, other: 2) { id } }`,
  `{ thing(id: null) { id } }`,
  `{ a: thing(id: 1) { id } a: thing(id: 2) { id } }`,
  `{ thing(id: 1) { x: id x: name } }`,
  `{ thing(id: 1) { ...P } } fragment P on Thing { x: id ...Q } fragment Q on Thing { x: name }`,
  `{ thing(id: 1) { things { x: id } things { x: name } } }`,
  `{ thing(id: 1) { things(first: "1") { id } } }`,
  `{ thing(id: 1) { things(where: {}) { id } } }`,
  `{ thing(id: 1) { things(where: { name: "a", name: "b" }) { id } } }`,
  `{ thing(id: 1) { things(where: { name: "a", kinds: [C] }) { id } } }`,
  `{ thing(id: 1) { ...P } } fragment P on Thing { things { ...P } }`,
  `{ thing(id: 1) { ...P } } fragment P on Query { __typename }`,
  `{ thing(id: 1) { id } } fragment P on Thing { id }`,
  `{ thing(id: 1) { ...Nothing } }`,
  `{ thing(id: 1) { id @include } }`,
  `{ thing(id: 1) { id @skip(if: 1) } }`,
  `{ thing(id: 1) { id @skip(if: true) @skip(if: true) } }`,
  `{ thing(id: 1) { id @other } }`,
  `query ($id: ID) { thing(id: $id) { id } }`,
  `query ($id: ID!) { thing(id: 1) { id } }`,
  `query ($id: ID!, $id: ID!) { thing(id: $id) { id } }`,
  `query ($id: Thing) { thing(id: $id) { id } }`,
  `query ($first: Int = "a") { thing(id: 1) { things(first: $first) { id } } }`,
  `query A { thing(id: $id) { id } } query B($id: ID!) { thing(id: $id) { id } }`,
  `query A { thing(id: 1) { id } } query A { thing(id: 1) { id } }`,
  `query A { thing(id: 1) { id } } { thing(id: 1) { id } }`,
  `subscription { made { id } lost { id } }`,
  `subscription { __typename }`,
  `type Query { id: ID }`,
  `fragment P on Thing { id }`,
])("%s is left to graphql-js, which rejects it", (text) => {
  const document = parse(text);
  expect(validate(schema, document)).not.toEqual([]);
  expect(isSimpleValidDocument(schema, document)).toBe(false);
});

test.each([
  `{ __schema { queryType { name } } }`,
  `{ named { name } }`,
  `{ named { ... on Thing { id } } }`,
  `{ one(of: { a: 1 }) }`,
  `{ thing(id: 1) { ... on Named { name } } }`,
])("%s is valid, but is left to graphql-js", (text) => {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  expect(isSimpleValidDocument(schema, document)).toBe(false);
});
