import { withArticle } from "./with-article.ts";
import type { Model, ResourceModel } from "../../model/model.ts";
import { describeSearch } from "../../lowering/lower-search.ts";
import { offeredRelations } from "../../model/offered.ts";
import { describeEnumOrder, offeredSortPaths } from "../../lowering/lower-sort.ts";
import type { JsonObject } from "../../util/json.ts";
import { aggregateParameters, groupSortTerms } from "./aggregate-schemas.ts";
import { filterParameters } from "./filter-parameters.ts";
import { type DocumentedResource, ref } from "./openapi-types.ts";
import { query } from "./query-parameter.ts";
import { valueSchema } from "./value-schema.ts";

function header(name: string, description: string, schema: JsonObject = { type: "string" }): JsonObject {
  return { name, in: "header", description, schema };
}

/** `*`, or entity tags separated by commas (RFC 9110 §8.8.3). */
const TAGS: JsonObject = { type: "string", pattern: '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$' };

const COUNT =
  "Whether to return the total number of matching rows in `Total-Count`. Counting stops at a limit, and the total is then marked `;exact=?0`.";

/** The values of `count` for a resource that allows exact counts. */
export const EXACT_COUNT: JsonObject = { enum: [true, false, "exact"], default: false };

/** The values of `deleted` for a resource with soft delete. */
export const DELETED: JsonObject = { type: "string", enum: ["only", "with"] };

/** Parameters that many operations share. */
export const PARAMETERS: Readonly<Record<string, JsonObject>> = {
  fields: query("fields", "Fields to return, separated by commas. Use dots for fields of relations.", {
    type: "string",
  }),
  rel: query(
    "rel",
    "Filter, sort and page of an embedded list: `rel[name][filter]`, `rel[name][sort]` and `rel[name][page]`. `rel[name][count]=true` adds its total as `name@count`. `rel[name][aggregate]`, `rel[name][group]` and `rel[name][having]` add groups of its rows as `name@groups` instead, without `include`.",
    { type: "object", additionalProperties: true },
    { style: "deepObject", explode: true },
  ),
  pageAfter: query("page[after]", "Only rows after this cursor.", { type: "string" }),
  pageBefore: query("page[before]", "Only rows before this cursor.", { type: "string" }),
  pageOffset: query("page[offset]", "Number of rows to skip.", { type: "integer", minimum: 0 }),
  count: query("count", COUNT, { type: "boolean", default: false }),
  exactCount: query("count", `${COUNT} \`exact\` counts without a limit.`, EXACT_COUNT),
  deleted: query("deleted", "Also returns deleted rows (`with`), or only these (`only`).", DELETED),
  initial: query("initial", "For event streams: whether to send the existing rows first.", {
    type: "boolean",
    default: false,
  }),
  formats: query(
    "formats",
    "`json` describes requests and responses in JSON with whole rows; `all` also other formats and partial rows.",
    { type: "string", enum: ["json", "all"], default: "json" },
  ),
  ifMatch: header("If-Match", "Succeeds only if the row has one of these versions (RFC 9110 §13.1.1).", TAGS),
  ifNoneMatch: header("If-None-Match", "Returns 304 if the client already has this version (RFC 9110 §13.1.2).", TAGS),
  ifMatchMany: header("If-Match", "The versions of all matching rows, one for each. Otherwise, none is written.", TAGS),
  ifNone: header("If-None-Match", "`*`: succeeds only if the row doesn't exist yet (RFC 9110 §13.1.2).", TAGS),
  prefer: header("Prefer", "`return=minimal`, `return=representation`, `handling=lenient` (RFC 7240)."),
  idempotencyKey: header(
    "Idempotency-Key",
    "A unique key of the request. Retries with the same key are executed only once.",
    {
      type: "string",
      minLength: 1,
      maxLength: 257,
      pattern: '^("([ !#-\\[\\]-~]|\\\\["\\\\])+"|[!#-+\\--\\[\\]-~]+)$',
    },
  ),
};

/** Parameters that can change the form of a response. Only the document of all formats describes them. */
const OF_ALL_FORMATS: ReadonlySet<string> = new Set(["fields", "rel", "initial", "prefer"]);

/** Returns references to the shared parameters that the document describes. */
export function sharedOf(
  { described }: Pick<DocumentedResource, "described">,
  ...names: readonly (keyof typeof PARAMETERS)[]
): readonly JsonObject[] {
  return shared(...names.filter((name) => described === "all" || !OF_ALL_FORMATS.has(name)));
}

export function shared(...names: readonly (keyof typeof PARAMETERS)[]): readonly JsonObject[] {
  return names.map((name) => ref("parameters", name));
}

export function idParameter(name: string, resource: ResourceModel): JsonObject {
  const [only, ...others] = resource.key;
  const field = others.length === 0 ? resource.fields.get(only as string) : undefined;
  const schema: JsonObject = field === undefined ? { type: "string" } : valueSchema(field.type);
  const parts = others.length === 0 ? "" : `: ${resource.key.join(", ")}, joined by commas`;
  return { name, in: "path", required: true, description: `The id of ${withArticle(resource.name)}${parts}.`, schema };
}

/** Returns the parameters that select the contents of rows. */
export function shapeParameters(place: DocumentedResource, resource: ResourceModel): readonly JsonObject[] {
  const relations = offeredRelations(place.model, resource);
  if (relations.length === 0) return sharedOf(place, "fields");
  const names = relations.map(({ name }) => name).join(", ");
  const include = `Relations to embed, separated by commas; use dots for nested relations. Available: ${names}.`;
  return [
    ...sharedOf(place, "fields"),
    query("include", include, { type: "string" }),
    ...(place.described === "all" ? shared("rel") : embeddedParameters(place, resource)),
  ];
}

/** Returns the sort and page size of each embedded list. `rel` is one object with all of them, in all formats. */
function embeddedParameters({ model }: DocumentedResource, resource: ResourceModel): readonly JsonObject[] {
  return offeredRelations(model, resource).flatMap(({ name, many, target }) => {
    if (!many) return [];
    const far = model.resources.get(target) as ResourceModel;
    const about = `of the embedded ${name}. Requires \`include=${name}\`.`;
    const size = { type: "integer", minimum: 1, maximum: far.page.max };
    return [
      ...sortParameters(model, far, `rel[${name}][sort]`, `Sort fields ${about}`),
      query(`rel[${name}][page][size]`, `Page size ${about}`, size),
      query(`rel[${name}][count]`, `Adds the total as \`${name}@count\`, ${about}`, { type: "boolean" }),
    ];
  });
}

/** Returns the parameter `deleted` for a resource with soft delete. */
export function deletedParameters({ softDelete }: ResourceModel): readonly JsonObject[] {
  return softDelete === undefined ? [] : shared("deleted");
}

/** Returns the parameters of filters and of a search. */
export function conditionParameters(resource: ResourceModel, isList: boolean): readonly JsonObject[] {
  const filters = filterParameters(resource);
  if (resource.search.length === 0) return filters;
  return [...filters, query("q", describeSearch(resource, isList), { type: "string", maxLength: 200 })];
}

/** Returns the parameters of a list. `hasGroups`: also those that request groups instead of rows. */
export function listParameters(
  { model }: Pick<DocumentedResource, "model">,
  resource: ResourceModel,
  hasGroups = false,
): readonly JsonObject[] {
  const groupTerms = hasGroups ? groupSortTerms(model, resource) : [];
  const { size, max } = resource.page;
  return [
    ...conditionParameters(resource, true),
    ...sortParameters(model, resource, "sort", "Sort fields, separated by commas.", groupTerms),
    query("page[size]", `Default ${size}.`, { type: "integer", minimum: 1, maximum: max, default: size }),
    ...shared("pageAfter", "pageBefore", "pageOffset", resource.exactCount ? "exactCount" : "count"),
    ...(hasGroups ? aggregateParameters(model, resource, INSTEAD) : []),
  ];
}

const VALUES = "Values to compute from groups of rows, separated by commas.";
const INSTEAD = `${VALUES} The response has groups instead of rows.`;

/** Returns the parameters of `/books/aggregate`. */
export function groupParameters(model: Model, resource: ResourceModel): readonly JsonObject[] {
  const { size, max } = resource.page;
  const terms = groupSortTerms(model, resource);
  return [
    ...aggregateParameters(model, resource, VALUES),
    ...conditionParameters(resource, false),
    sortParameter("sort", "Sort terms, separated by commas. A leading '-' sorts in descending order.", terms),
    query("page[size]", `Default ${size}.`, { type: "integer", minimum: 1, maximum: max, default: size }),
    ...shared("pageAfter", "pageBefore", "pageOffset"),
  ];
}

function sortParameter(name: string, about: string, terms: readonly string[]): JsonObject {
  const schema = { type: "array", items: { type: "string", enum: [...terms] } };
  return query(name, about, schema, { style: "form", explode: false });
}

function sortParameters(
  model: Model,
  resource: ResourceModel,
  name: string,
  about: string,
  more: readonly string[] = [],
): readonly JsonObject[] {
  const items = [...new Set([...sortTerms(model, resource), ...more])];
  if (items.length === 0) return [];
  const enums = offeredSortPaths(model, resource).flatMap((path) => {
    const order = describeEnumOrder(model, resource, path);
    return order === undefined ? [] : [` \`${path.join(".")}\`: ${order}`];
  });
  return [sortParameter(name, `${about} A leading '-' sorts in descending order.${enums.join("")}`, items)];
}

export function sortTerms(model: Model, resource: ResourceModel): string[] {
  return offeredSortPaths(model, resource).flatMap((path) => [path.join("."), `-${path.join(".")}`]);
}
