import { writePointer } from "../../json-pointer.ts";
import type { Format } from "../format.ts";
import { readFieldsets } from "./fieldsets.ts";
import { readDocument } from "./read-document.ts";
import { relationship, VERSION } from "./linkage.ts";
import { createDocument } from "./write-document.ts";

const MEDIA_TYPE = "application/vnd.api+json";

/**
 * JSON:API 1.1 (https://jsonapi.org/format/1.1/): resource objects with relationships, compound documents by `include`,
 * and documents of the same form in requests. No extension and no profile is known.
 */
export const jsonApi: Format = {
  mediaType: MEDIA_TYPE,
  item: (view) => {
    const { toObject, included } = createDocument(view);
    const data = toObject(view.row);
    return JSON.stringify({ jsonapi: VERSION, data, ...included([view.row]), links: { self: data.links.self } });
  },
  list: (view) => {
    const { toObject, included } = createDocument(view);
    const { first, prev, next } = view.links;
    return JSON.stringify({
      jsonapi: VERSION,
      data: view.rows.map(toObject),
      ...included(view.rows),
      links: { self: view.url, first, prev, next },
      ...(view.total === undefined ? {} : { meta: { total: view.total } }),
    });
  },
  parse: readDocument,
  fieldsets: readFieldsets,
  relationship,
  // Parameters other than `profile` are to be refused with 415 (§5.3).
  takes: (contentType) => !/;(?!\s*profile\s*=)/i.test(contentType.replaceAll(/"[^"]*"/g, "")),
  problem: {
    contentType: MEDIA_TYPE,
    write: ({ type, title, status, detail, code, errors, requestId }) => {
      const common = { status: String(status), title, links: { type } };
      const all = errors?.map(({ path, message, code: issue }) => ({
        ...common,
        code: issue,
        detail: message,
        source: sourceOf(status, issue === "required" ? path.slice(0, -1) : path),
      })) ?? [{ ...common, code, detail }];
      const meta = { code, ...(requestId === undefined ? {} : { requestId }) };
      return JSON.stringify({ jsonapi: VERSION, errors: all, meta });
    },
  },
};

/** An issue of a body points into it (RFC 6901), to what is there; one of a parameter names the parameter. */
function sourceOf(status: number, path: readonly (string | number)[]): object {
  if (status !== 400) return { pointer: writePointer(["data", "attributes", ...path.map(String)]) };
  const [name = "", ...members] = path;
  return { parameter: `${name}${members.map((member) => `[${member}]`).join("")}` };
}
