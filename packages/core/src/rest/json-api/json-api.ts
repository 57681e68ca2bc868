import { writePointer } from "../patch/json-pointer.ts";
import type { Format, ProblemPlace } from "../formats/format.ts";
import { withRoutes } from "../routes/format-routes.ts";
import { readFieldsets } from "./fieldsets.ts";
import { readDocument } from "./read-document.ts";
import { MEDIA_TYPE, VERSION } from "./media-type.ts";
import { relationshipRoutes } from "./relationship-routes.ts";
import { createDocument } from "./write-document.ts";
import { relationIn } from "../../model/relation-in.ts";
import { attributeName } from "./attributes.ts";

const documents: Format = {
  mediaType: MEDIA_TYPE,
  item: (view) => {
    const { toObject, included } = createDocument(view);
    const data = toObject(view.row);
    // A created row isn't at the URL of the request.
    const self = view.status === 201 ? data.links?.self : view.url;
    return JSON.stringify({ jsonapi: VERSION, data, ...included([view.row]), links: { self } });
  },
  none: ({ url }) => JSON.stringify({ jsonapi: VERSION, data: null, links: { self: url } }),
  list: (view) => {
    const { toObject, included } = createDocument(view);
    const { first, prev, next } = view.links;
    return JSON.stringify({
      jsonapi: VERSION,
      data: view.rows.map(toObject),
      ...included(view.rows),
      links: { self: view.url, first, prev, next },
      ...(view.total === undefined ? {} : { meta: { total: view.total, totalIsExact: view.totalIsExact === true } }),
    });
  },
  parse: readDocument,
  fieldsets: readFieldsets,
  // Parameters other than `profile` must be rejected with 415 (§5.3).
  takes: (contentType) => !/;(?!\s*profile\s*=)/i.test(contentType.replaceAll(/"[^"]*"/g, "")),
  // Profiles must be ignored; other parameters, even `charset`, lead to 406 (§5.3).
  ignoredParameters: /;\s*profile\s*=\s*("[^"]*"|[^;]*)/gi,
  problem: {
    contentType: MEDIA_TYPE,
    write: ({ type, title, status, detail, code, errors, requestId }, { body }) => {
      const common = { status: String(status), title, links: { type } };
      const all = errors?.map(({ path, message, code: issue }) => ({
        ...common,
        code: issue,
        detail: message,
        source:
          status === 400 ? parameterOf(path) : { pointer: writePointer(placeOf(path, issue === "required", body)) },
      })) ?? [{ ...common, code, detail }];
      const meta = { code, ...(requestId === undefined ? {} : { requestId }) };
      return JSON.stringify({ jsonapi: VERSION, errors: all, meta });
    },
  },
};

/**
 * JSON:API 1.1 (https://jsonapi.org/format/1.1/): resource objects with relationships, compound documents with
 * `include`, and request documents of the same form. No extensions or profiles are supported.
 */
export const jsonApi: Format = withRoutes(documents, relationshipRoutes);

/** Names the invalid parameter. */
function parameterOf([name = "", ...members]: readonly (string | number)[]): object {
  return { parameter: `${name}${members.map((member) => `[${member}]`).join("")}` };
}

/**
 * Returns the location of a field's issue in a request document (JSON:API 1.1 §11.2). If the field is missing, this is
 * the object that lacks it.
 */
function placeOf(
  path: readonly (string | number)[],
  isMissing: boolean,
  body: ProblemPlace["body"],
): readonly string[] {
  const [name = "", ...inner] = path.map(String);
  // A body in another format contains the fields directly.
  if (body === undefined) return isMissing ? path.slice(0, -1).map(String) : path.map(String);
  if (!body.isRow) return ["data"];
  const { resource } = body;
  const isWhole = inner.length === 0;
  if (resource.key.includes(name)) return isMissing ? ["data"] : ["data", "id"];
  const linked = resource.relations.get(name);
  if (linked !== undefined) return ["data", "relationships", name, "data", ...inner];
  const relation = relationIn(resource, name);
  if (relation !== undefined) return isMissing ? ["data"] : ["data", "relationships", relation.name, "data"];
  if (name === "" || (isMissing && isWhole)) return ["data", "attributes"];
  return ["data", "attributes", attributeName(resource, name), ...(isMissing ? inner.slice(0, -1) : inner)];
}
