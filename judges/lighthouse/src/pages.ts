import { KEY, PAGE_KINDS } from "../../../tests/browser/library.ts";

export interface JudgedPage {
  readonly name: string;
  readonly server: "library" | "atlas";
  readonly path: string;
  readonly status: number;
  /** The API key of the caller. */
  readonly key?: string;
  /** Set for the user interfaces of other projects, whose scores are only printed. */
  readonly isForeign?: boolean;
}

/** Kinds whose forms and dialogs open by a click. Their pages have URLs of their own below. */
const BY_CLICK = new Set(["form for a new row", "rejected form", "delete dialog", "edit form and action"]);
const STATUS: Readonly<Record<string, number>> = {
  "sign-in": 401,
  "unknown path": 404,
  "missing row": 404,
  "invalid request": 400,
  "server error": 500,
};

/** A page of each kind that the browser tests list, the pages of other projects, and the atlas. */
export const PAGES: readonly JudgedPage[] = [
  ...PAGE_KINDS.filter(({ name }) => !BY_CLICK.has(name)).map(
    ({ name, path, isSignedIn = false }): JudgedPage => ({
      name,
      server: "library",
      path,
      status: STATUS[name] ?? 200,
      ...(isSignedIn ? { key: KEY } : {}),
    }),
  ),
  { name: "form for a new row", server: "library", path: "/books#create", status: 200, key: KEY },
  { name: "edit form", server: "library", path: "/books/1#update", status: 200, key: KEY },
  { name: "form of an action", server: "library", path: "/books/1#action-lend", status: 200, key: KEY },
  { name: "Swagger UI", server: "library", path: "/docs", status: 200, isForeign: true },
  { name: "GraphiQL", server: "library", path: "/graphql", status: 200, isForeign: true },
  { name: "atlas", server: "atlas", path: "/", status: 200 },
];
