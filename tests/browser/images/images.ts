import type { Page } from "playwright-core";

export interface Image {
  readonly name: string;
  /** Path and query of the bookstore. */
  readonly path: string;
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  readonly height: number;
  readonly isSignedIn?: boolean;
  readonly prepare?: (page: Page) => Promise<void>;
}

const EMMA = "/books/b0000000-0000-4000-8000-000000000001";
const LIST = "/books?filter[genre][in]=novel&filter[genre][in]=essay&sort=-price&include=tags&count=true";
const DESKTOP = { width: 1360, height: 860 };
const PHONE = { width: 360, height: 740 };

export const IMAGES: readonly Image[] = [
  { name: "pages-list", path: LIST, colorScheme: "light", isSignedIn: true, ...DESKTOP },
  { name: "pages-row", path: `${EMMA}?include=author,tags`, colorScheme: "dark", isSignedIn: true, ...DESKTOP },
  {
    name: "pages-error",
    path: "/books?filter[genra]=novel&filter[price][gte]=10&sort=-price",
    colorScheme: "light",
    ...DESKTOP,
  },
  { name: "pages-schema", path: "/-/schema/books", colorScheme: "light", isSignedIn: true, ...DESKTOP },
  { name: "pages-phone", path: LIST, colorScheme: "light", ...PHONE },
];
