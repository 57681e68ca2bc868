import type { GraphqlSource, RestSource, TranslationSource } from "@bifocal/core";
import type { Filter, Json, Key, ResourceModel } from "@bifocal/core/store";
import fc from "fast-check";
import type { World } from "../../../packages/sql/test/differential/field-filter.ts";
import { filterOf } from "../../../packages/sql/test/differential/filter.ts";
import { fieldsOf, type ModelPlan } from "../../../packages/sql/test/differential/model.ts";
import { valuesOf } from "../../../packages/sql/test/differential/values.ts";

type Tree = Readonly<Record<string, unknown>>;

interface Parts {
  readonly world: World;
  readonly plan: ModelPlan;
  readonly resource: ResourceModel;
}

/** Generates requests of all kinds for a resource of a random model. */
export function requestsOf(world: World, plan: ModelPlan, name: string): fc.Arbitrary<TranslationSource> {
  const parts = { world, plan, resource: world.resource(name) };
  return fc.oneof(
    { weight: 3, arbitrary: listOf(parts) },
    { weight: 2, arbitrary: itemOf(parts) },
    { weight: 2, arbitrary: groupsOf(parts) },
    { weight: 4, arbitrary: writeOf(parts) },
    { weight: 3, arbitrary: callOf(parts) },
    { weight: 1, arbitrary: relatedOf(parts) },
    { weight: 1, arbitrary: watchOf(parts) },
    { weight: 1, arbitrary: graphqlOf(parts) },
  );
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });

/** Leaves out members that are undefined. */
function known(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([, value]) => value !== undefined));
}

function targetOf({ world }: Parts, name: string): ResourceModel {
  return world.resource(name);
}

/** Writes a filter as the object that requests contain. */
function treeOf(filter: Filter): Tree {
  switch (filter.kind) {
    case "constant":
      return filter.value ? {} : { or: [] };
    case "compare":
      return { [filter.field]: { [filter.operator]: filter.value } };
    case "not":
      return { not: treeOf(filter.filter) };
    case "and":
    case "or":
      return { [filter.kind]: filter.filters.map(treeOf) };
    case "related": {
      const inner = treeOf(filter.filter);
      return { [filter.relation]: filter.quantifier === "one" ? inner : { [filter.quantifier]: inner } };
    }
  }
}

const filterTree = ({ world }: Parts, { name }: ResourceModel, depth = 2): fc.Arbitrary<Tree> =>
  filterOf(world, name, depth).map(treeOf);

const WORDS = ["a", "book", "é 1", "A b"];
const word = fc.constantFrom(...WORDS);

function sortTerms({ world }: Parts, resource: ResourceModel): fc.Arbitrary<readonly string[]> {
  const sortable = (of: ResourceModel): readonly string[] =>
    [...of.fields.values(), ...of.computed.values()].filter((field) => field.sortable).map((field) => field.name);
  const names = [
    ...sortable(resource),
    ...[...resource.relations.values()]
      .filter(({ many }) => !many)
      .flatMap(({ name, target }) => {
        const far = world.resource(target);
        return [...far.fields.values()].filter((field) => field.sortable).map((field) => `${name}.${field.name}`);
      }),
  ];
  return fc
    .shuffledSubarray(names, { maxLength: Math.min(3, names.length) })
    .chain((chosen) => fc.tuple(...chosen.map((name) => fc.constantFrom(name, `-${name}`))));
}

/** Filter, search, sort and page of a list. */
function listTree(parts: Parts, resource: ResourceModel, depth = 2): fc.Arbitrary<Tree> {
  const { max } = resource.page;
  return fc
    .record({
      filter: maybe(filterTree(parts, resource, depth)),
      q: resource.search.length === 0 ? fc.constant(undefined) : maybe(word),
      sort: maybe(sortTerms(parts, resource).filter((terms) => terms.length > 0)),
      page: maybe(
        fc.oneof(
          fc.record({ size: fc.integer({ min: 1, max }) }),
          fc.record({ offset: fc.nat(50) }),
          fc.record({ size: fc.integer({ min: 1, max }), after: fc.constant("CURSOR") }),
          fc.record({ before: fc.constant("CURSOR") }),
        ),
      ),
      count: fc.constantFrom(undefined, true, ...(resource.exactCount ? ["exact"] : [])),
    })
    .map(known);
}

/** Fields, and relations with their own list parts. */
function shapeTree(parts: Parts, resource: ResourceModel): fc.Arbitrary<Tree> {
  return maybe(selection(parts, resource, "", 2)).map((chosen) => {
    if (chosen === undefined) return {};
    const rel = Object.fromEntries(chosen.rel);
    return { fields: chosen.fields, ...(chosen.rel.length === 0 ? {} : { rel }) };
  });
}

interface Selected {
  readonly fields: readonly string[];
  readonly rel: readonly (readonly [path: string, parts: Tree])[];
}

function selection(parts: Parts, resource: ResourceModel, prefix: string, depth: number): fc.Arbitrary<Selected> {
  const names = resource.visibleFields.map(({ name }) => prefix + name);
  const fields = fc.shuffledSubarray(names, { minLength: 1 });
  const relations = depth === 0 ? [] : [...resource.relations.values()].slice(0, 3);
  const inner = relations.map((relation): fc.Arbitrary<Selected | undefined> => {
    const target = targetOf(parts, relation.target);
    const path = prefix + relation.name;
    const list = relation.many ? maybe(listTree(parts, target, 1)) : fc.constant(undefined);
    const rows = fc.tuple(selection(parts, target, `${path}.`, depth - 1), list).map(([chosen, own]) => {
      const given = own === undefined ? [] : [[path, withoutCursors(own)] as const];
      return { fields: chosen.fields, rel: [...chosen.rel, ...given] };
    });
    const groups = aggregation(parts, target).map((own): Selected => ({ fields: [], rel: [[path, own]] }));
    const chosen = relation.many ? fc.oneof({ weight: 3, arbitrary: rows }, { weight: 1, arbitrary: groups }) : rows;
    return fc.option(chosen, { nil: undefined, freq: 2 });
  });
  return fc.tuple(fields, fc.tuple(...inner)).map(([own, all]) => {
    const found = all.filter((one) => one !== undefined);
    return { fields: [...own, ...found.flatMap((one) => one.fields)], rel: found.flatMap((one) => one.rel) };
  });
}

/** A cursor belongs to one list, so lists of several rows can't have one. */
function withoutCursors({ page, ...tree }: Tree): Tree {
  const { size, offset } = (page ?? {}) as Tree;
  const own = known({ size, offset });
  return Object.keys(own).length === 0 ? tree : { ...tree, page: own };
}

function aggregation(parts: Parts, { aggregates, name, page, search }: ResourceModel): fc.Arbitrary<Tree> {
  const measures = [...aggregates.measures.keys()];
  const groups = [...aggregates.groups.keys()];
  return fc
    .record({
      aggregate: fc.shuffledSubarray(measures, { minLength: 1, maxLength: Math.min(3, measures.length) }),
      group: fc.shuffledSubarray(groups, { maxLength: Math.min(2, groups.length) }),
      filter: maybe(filterTree(parts, parts.world.resource(name), 1)),
      q: search.length === 0 ? fc.constant(undefined) : maybe(word),
      having: maybe(fc.record({ count: fc.record({ gte: fc.nat(3) }) })),
      descending: fc.boolean(),
      isSorted: fc.boolean(),
      size: maybe(fc.integer({ min: 1, max: page.max })),
    })
    .map(({ aggregate, group, filter, q, having, descending, isSorted, size }) =>
      known({
        aggregate,
        group: group.length === 0 ? undefined : group,
        filter,
        q,
        having: group.length === 0 ? undefined : having,
        sort: isSorted && group.length > 0 ? [`${descending ? "-" : ""}${group[0]}`, "count"] : undefined,
        page: size === undefined ? undefined : { size },
      }),
    );
}

const query = (url: string, body: Tree): RestSource => ({ method: "QUERY", url, body });

function listOf(parts: Parts): fc.Arbitrary<RestSource> {
  const { resource } = parts;
  const deleted = fc.constantFrom(undefined, ...(resource.softDelete === undefined ? [] : ["with", "only"]));
  return fc
    .tuple(listTree(parts, resource), shapeTree(parts, resource), deleted)
    .map(([list, shape, which]) => query(`/${resource.path}`, known({ ...list, ...shape, deleted: which })));
}

function groupsOf(parts: Parts): fc.Arbitrary<RestSource> {
  const { resource } = parts;
  return aggregation(parts, resource).map((tree) => query(`/${resource.path}`, tree));
}

function keyOf({ world, resource, plan }: Parts, name = resource.name): fc.Arbitrary<Key> {
  const planned = fieldsOf(plan, plan.resources.find((one) => one.name === name) as ModelPlan["resources"][number]);
  const parts = world.resource(name).key.map((field) => {
    const { kind = "text" } = planned.find((one) => one.name === field) ?? {};
    return valuesOf(kind).filter((value) => value !== "");
  });
  return fc.tuple(...parts).map((values) => (values.length === 1 ? values[0] : values) as Key);
}

function idText(key: Key): string {
  return (typeof key === "object" ? key : [key]).map((part) => encodeURIComponent(part)).join(",");
}

function itemOf(parts: Parts): fc.Arbitrary<RestSource> {
  const { resource } = parts;
  return fc.tuple(keyOf(parts), shapeTree(parts, resource)).map(([key, shape]) => {
    return { url: `/${resource.path}/${idText(key)}${queryOf(shape)}` };
  });
}

function relatedOf(parts: Parts): fc.Arbitrary<RestSource> {
  const { resource } = parts;
  const relations = [...resource.relations.values()];
  const history = keyOf(parts).map((key): RestSource => ({ url: `/${resource.path}/${idText(key)}/history` }));
  const known = resource.history === undefined ? itemOf(parts) : history;
  if (relations.length === 0) return known;
  const related = fc.constantFrom(...relations).chain((relation) => {
    const target = targetOf(parts, relation.target);
    const list = relation.many ? listTree(parts, target, 0) : fc.constant({});
    const groups = relation.many ? fc.oneof(list, aggregation(parts, target)) : list;
    return fc.tuple(keyOf(parts), groups).map(([key, tree]) => {
      return { url: `/${resource.path}/${idText(key)}/${kebab(relation.name)}${queryOf(tree)}` };
    });
  });
  return fc.oneof({ weight: 1, arbitrary: known }, { weight: 4, arbitrary: related });
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Writes a tree as a query string. Null and empty lists and objects have no form, so their members are left out. */
function queryOf(tree: Tree): string {
  const pairs: string[] = [];
  const write = (name: string, value: unknown): void => {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      const isScalar = value.every((one) => typeof one !== "object");
      for (const [index, one] of value.entries()) write(isScalar ? name : `${name}[${index}]`, one);
    } else if (typeof value === "object") {
      for (const [member, inner] of Object.entries(value)) write(`${name}[${member}]`, inner);
    } else
      pairs.push(
        `${encodeURIComponent(name)}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`,
      );
  };
  for (const [name, value] of Object.entries(tree)) {
    const isTerms = name === "fields" || name === "sort" || name === "aggregate" || name === "group";
    write(name, isTerms ? (value as readonly string[]).join(",") : value);
  }
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** Generates an input. `isPart`: some fields are left out. */
function inputOf({ plan, resource }: Parts, name: string, mode: "create" | "replace" | "update"): fc.Arbitrary<Tree> {
  const own = plan.resources.find((one) => one.name === name) as ModelPlan["resources"][number];
  const { key } = resource;
  const entries = fieldsOf(plan, own).flatMap((field): [string, fc.Arbitrary<Json>][] => {
    if (mode === "update" && key.includes(field.name)) return [];
    // A merge patch of an object depends on the row.
    if (mode === "update" && (field.kind === "object" || field.kind === "json")) return [];
    const values =
      field.name === "id" || key.includes(field.name)
        ? valuesOf(field.kind).filter((one) => one !== "")
        : valuesOf(field.kind);
    return [[field.name, field.nullable ? fc.option(values, { freq: 3 }) : values]];
  });
  const defaults: [string, fc.Arbitrary<Json>][] = resource.fields.has("shelf")
    ? [
        ["shelf", fc.constantFrom("a", "b")],
        ["copies", fc.nat(2)],
      ]
    : [];
  const all = Object.fromEntries([...entries, ...defaults]);
  if (mode === "update") return fc.record(all, { requiredKeys: [] });
  return fc.record(all, {
    requiredKeys: mode === "create" ? entries.map(([field]) => field) : Object.keys(all),
  });
}

function linksOf(parts: Parts): fc.Arbitrary<Tree> {
  const links = [...parts.resource.nested.create].filter(({ kind }) => kind === "manyToMany");
  const entries = links.map(({ name, target }) => {
    const rows = fc.array(keyOf(parts, target), { maxLength: 2 });
    return [name, rows.map((keys) => keys.map((key) => (typeof key === "object" ? idText(key) : key)))] as const;
  });
  return fc.record(Object.fromEntries(entries), { requiredKeys: [] });
}

function writeOf(parts: Parts): fc.Arbitrary<RestSource> {
  const { resource } = parts;
  const { name, path } = resource;
  const item = keyOf(parts).map((key) => `/${path}/${idText(key)}`);
  const ifMatch = fc.constantFrom<Record<string, string>>({}, { "If-Match": '"a"' }, { "If-Match": "*" });
  const shape = shapeTree(parts, resource).map(queryOf);
  const create = fc.tuple(inputOf(parts, name, "create"), linksOf(parts), shape).map(
    ([input, links, fields]): RestSource => ({
      method: "POST",
      url: `/${path}${fields}`,
      body: { ...input, ...links },
    }),
  );
  const createMany = fc
    .array(inputOf(parts, name, "create"), { minLength: 1, maxLength: 2 })
    .map((body): RestSource => ({ method: "POST", url: `/${path}`, body }));
  const replace = fc
    .tuple(item, inputOf(parts, name, "replace"), ifMatch, shape)
    .map(([url, body, headers, fields]): RestSource => ({ method: "PUT", url: url + fields, body, headers }));
  const update = fc
    .tuple(item, inputOf(parts, name, "update"), ifMatch, shape)
    .map(([url, body, headers, fields]): RestSource => ({ method: "PATCH", url: url + fields, body, headers }));
  const remove = fc.tuple(item, ifMatch).map(([url, headers]): RestSource => ({ method: "DELETE", url, headers }));
  const search = resource.search.length === 0 ? fc.constant(undefined) : maybe(word);
  const filter = fc.tuple(filterTree(parts, resource, 1), search).map(([tree, q]) => queryOf({ filter: tree, q }));
  const updateMany = fc
    .tuple(filter, inputOf(parts, name, "update"))
    .map(([text, body]): RestSource => ({ method: "PATCH", url: `/${path}${text}`, body }));
  const deleteMany = filter.map((text): RestSource => ({ method: "DELETE", url: `/${path}${text}` }));
  return fc.oneof(create, createMany, replace, update, remove, updateMany, deleteMany, ...nestedOf(parts, item));
}

/** Links, and creates inside a row. */
function nestedOf(parts: Parts, item: fc.Arbitrary<string>): readonly fc.Arbitrary<RestSource>[] {
  return [...parts.resource.relations.values()].flatMap((relation) => {
    const at = item.map((url) => `${url}/${kebab(relation.name)}`);
    if (relation.kind === "manyToMany") {
      return fc
        .tuple(at, keyOf(parts, relation.target), fc.constantFrom("PUT", "DELETE"))
        .map(([url, key, method]): RestSource => ({ method, url: `${url}/${idText(key)}` }));
    }
    if (relation.kind !== "hasMany") return [];
    return fc
      .tuple(at, inputOf({ ...parts, resource: targetOf(parts, relation.target) }, relation.target, "create"))
      .map(([url, input]): RestSource => {
        const body = Object.fromEntries(Object.entries(input).filter(([name]) => !relation.foreign.includes(name)));
        return { method: "POST", url, body };
      });
  });
}

const pointInput = fc.record(
  { x: fc.constantFrom(0, 1.5), tags: fc.array(word, { maxLength: 2 }) },
  { requiredKeys: ["x"] },
);

/** Actions and queries. */
function callOf(parts: Parts): fc.Arbitrary<RestSource> {
  const { resource } = parts;
  const path = `/${resource.path}`;
  const item = keyOf(parts).map((key) => `${path}/${idText(key)}`);
  const post = (url: string, body?: unknown): RestSource => ({
    method: "POST",
    url,
    ...(body === undefined ? {} : { body }),
  });
  const list = listTree(parts, resource, 1);
  const newest = fc
    .tuple(fc.nat(9), maybe(fc.subarray(["a", "b-c"])), list, shapeTree(parts, resource))
    .map(([since, kinds, tree, shape]) => query(`${path}/newest`, known({ since, kinds, ...tree, ...shape })));
  return fc.oneof(
    fc
      .tuple(item, pointInput, shapeTree(parts, resource))
      .map(([url, input, shape]) => post(`${url}/touch${queryOf(shape)}`, input)),
    fc.tuple(item, fc.nat(9)).map(([url, input]) => post(`${url}/rate`, input)),
    maybe(pointInput).map((input) => post(`${path}/measure`, input)),
    fc.constant(post(`${path}/clear`)),
    ...(resource.queries.has("newest") ? [newest] : []),
    fc.tuple(item, list).map(([url, tree]) => query(`${url}/similar`, tree)),
    fc.tuple(item, maybe(fc.nat(9))).map(([url, words]) => query(`${url}/summary`, known({ words }))),
  );
}

function watchOf(parts: Parts): fc.Arbitrary<TranslationSource> {
  const { resource } = parts;
  const path = `/${resource.path}`;
  const headers = { Accept: "text/event-stream" };
  const stream = fc.tuple(maybe(filterTree(parts, resource, 0)), fc.boolean()).map(
    ([filter, initial]): RestSource => ({
      url: path + queryOf(known({ filter, initial: initial || undefined })),
      headers,
    }),
  );
  const ofRow = keyOf(parts).map((key): RestSource => ({ url: `${path}/${idText(key)}`, headers }));
  const [field] = resource.visibleFields;
  const one = fc.constantFrom("Created", "Updated", "Deleted").map((kind): GraphqlSource => {
    return { document: `subscription { ${resource.name}${kind} { ${field?.name} } }` };
  });
  return fc.oneof(stream, ofRow, one);
}

/** Documents that only GraphQL can express: aliases, the last rows, several root fields. */
function graphqlOf(parts: Parts): fc.Arbitrary<GraphqlSource> {
  const { resource } = parts;
  const key = resource.key.join(" ");
  const many = [...resource.relations.values()].filter((relation) => relation.many);
  const list = (args: string, inner: string): string => `${resource.plural}${args} { nodes { ${inner} } }`;
  const documents = [
    `{ ${list("(last: 3)", key)} }`,
    `{ ${list("(first: 0)", key)} }`,
    `{ ${list("", "__typename")} }`,
    `{ one: ${list("(first: 1)", key)} two: ${list("(offset: 1)", key)} }`,
    ...many.map(({ name, target }) => {
      const inner = targetOf(parts, target).key.join(" ");
      return `{ ${list("", `a: ${name}(first: 1) { nodes { ${inner} } } b: ${name}(first: 2) { totalCount nodes { ${inner} } }`)} }`;
    }),
  ];
  return fc.constantFrom(...documents).map((document) => ({ document }));
}
