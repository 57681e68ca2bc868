import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";
import { COMPILER_OPTIONS } from "./compiler-options.ts";

const file = fileURLToPath(new URL("hovers.ts", import.meta.url));
const text = readFileSync(file, "utf8");
const service = ts.createLanguageService({
  getScriptFileNames: () => [file],
  getScriptVersion: () => "1",
  getScriptSnapshot(name) {
    const found = ts.sys.readFile(name);
    return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
  },
  getCompilationSettings: () => COMPILER_OPTIONS,
  getCurrentDirectory: () => ts.sys.getCurrentDirectory(),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => ts.sys.fileExists(name),
  readFile: (name) => ts.sys.readFile(name),
});

/** Returns the hover at the `|` as an editor shows it. */
function hoverText(place: string): string {
  const [before = "", after = ""] = place.split("|");
  const at = text.indexOf(before + after);
  if (at < 0) throw new Error(`${before + after} is not in hovers.ts.`);
  const info = service.getQuickInfoAtPosition(file, at + before.length);
  return ts.displayPartsToString(info?.displayParts);
}

/** Returns a hover on one line. */
function hover(place: string): string {
  return hoverText(place).replaceAll(/\s+/g, " ");
}

/** Returns the names of the types that the package declares and doesn't export. */
function internalTypes(): ReadonlySet<string> {
  const program = service.getProgram();
  const sources = program?.getSourceFiles().filter(({ fileName }) => fileName.includes("/core/src/")) ?? [];
  const index = sources.find(({ fileName }) => fileName.endsWith("/core/src/index.ts"));
  const entry = index && program?.getTypeChecker().getSymbolAtLocation(index);
  const exported = new Set(entry?.exports?.keys());
  const declared = sources.flatMap(({ statements }) =>
    statements.filter((node) => ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)),
  );
  return new Set(
    declared.map(({ name }) => name.text).filter((name) => !exported.has(ts.escapeLeadingUnderscores(name))),
  );
}

/** Sorts the members of each object type, whose order is up to the compiler. */
function sortMembers(type: string): string {
  const sorted = type.replaceAll(
    /\{ ([^{}]*); \}/g,
    (_, members: string) => `(${members.split("; ").toSorted().join("; ")})`,
  );
  return sorted === type ? type : sortMembers(sorted);
}

// The first hover checks the types of the file and of zod.
beforeAll(() => void hover("const |found"), 240_000);

const BOOK = "{ id: string; title: string; price: number | null; authorId: string; }";

/** The types of the resource, for its `local` calls. */
const BOOK_TYPES = `{ row: ${BOOK}; input: { title: string; authorId: string; price: number | null; }; relations: { readonly author: BelongsTo<"author", "authorId", 0, undefined>; }; filterable: "title" | "price"; sortable: "price"; actions: { discount: { on: "item"; input: { percent: number; }; }; }; }`;

test.each([
  ["a row", "const |found", `const found: ${BOOK} | null`],
  ["a created row", "const |created", `const created: ${BOOK}`],
  ["a page with relations", "const |listed", `const listed: LocalPage<{ name: string; books: ${BOOK}[]; }>`],
  ["the context of a rule", "(|context)", "(parameter) context: RuleContext"],
  [
    "the context of an action",
    "(|call)",
    `(parameter) call: ActionContext<${BOOK}, string, { percent: number; }, ${BOOK}, ${BOOK_TYPES}>`,
  ],
])("a hover over %s shows fields and no internal types", { timeout: 60_000 }, (_, place, shown) => {
  expect(sortMembers(hover(place))).toBe(sortMembers(shown));
});

const PLACES = [
  "const |book",
  '= |defineResource("book"',
  "const |api",
  "= |defineApi(",
  "api.|local",
  "api.local.|book",
  "api.local.author.|list(",
  "api.local.book.|get(",
  "api.local.book.|create(",
  "api.local.book.|update(",
  "api.local.book.|delete(",
  "api.local.book.|actions",
  "api.local.book.actions.|discount(",
  "api.local.book.|watch(",
];
/** Longer hovers don't fit on a screen. */
const MAX_LENGTH = 1_000;

test("no hover shows an internal type or is long", { timeout: 60_000 }, () => {
  const internal = internalTypes();
  expect(internal).toContain("ConfigTypes");
  expect(internal).not.toContain("Resource");
  for (const place of PLACES) {
    const shown = (hover(place).match(/\w+/g) ?? []).filter((word) => internal.has(word));
    expect.soft(shown, place).toEqual([]);
    expect.soft(hover(place).length, place).toBeLessThan(MAX_LENGTH);
  }
});

test("hovers over definitions, the API and local calls", { timeout: 60_000 }, () => {
  const hovers = PLACES.map((place) => `${place}\n${hoverText(place)}\n`);
  expect(hovers.join("\n")).toMatchInlineSnapshot(`
    "const |book
    const book: Resource<"book", {
        row: {
            id: string;
            title: string;
            price: number | null;
            authorId: string;
        };
        input: {
            title: string;
            price: number | null;
            authorId: string;
        };
        relations: {
            readonly author: BelongsTo<"author", "authorId", 0, undefined>;
        };
        filterable: "title" | "price";
        sortable: "price";
        actions: {
            discount: {
                on: "item";
                input: {
                    percent: number;
                };
            };
        };
    }>

    = |defineResource("book"
    (alias) defineResource<"book", {
        id: z.ZodUUID;
        title: z.ZodString;
        price: z.ZodNullable<z.ZodNumber>;
        authorId: z.ZodUUID;
    }, {
        readonly author: BelongsTo<"author", "authorId", 0, undefined>;
    }, {
        id: Generator<string>;
    }, {}, never, never, {
        discount: "item";
    }, {
        discount: z.ZodObject<{
            percent: z.ZodInt32;
        }, z.core.$strip>;
    }, {
        discount: unknown;
    }, {}, {}, {}, "id", "title" | "price", "price", never, never, never, () => true, never, never, never, never, never, never, false, never, {
        row: {
            id: string;
            title: string;
            price: number | null;
            authorId: string;
        };
        input: {
            title: string;
            price: number | null;
            authorId: string;
        };
        relations: {
            ...;
        };
        filterable: "title" | "price";
        sortable: "price";
        actions: {
            ...;
        };
    }>(name: "book", config: ResourceConfig<...>): Resource<...>
    import defineResource

    const |api
    const api: Api<Resource<"author", {
        row: {
            id: string;
            name: string;
            userId: string;
        };
        input: {
            name: string;
            userId: string;
        };
        relations: {
            readonly books: HasMany<"book", "authorId", 0, undefined>;
        };
        filterable: "name";
        sortable: "name";
    }> | Resource<"book", {
        row: {
            id: string;
            title: string;
            price: number | null;
            authorId: string;
        };
        input: {
            title: string;
            price: number | null;
            authorId: string;
        };
        relations: {
            readonly author: BelongsTo<"author", "authorId", 0, undefined>;
        };
        filterable: "title" | "price";
        sortable: "price";
        actions: {
            discount: {
                on: "item";
                input: {
                    percent: number;
                };
            };
        };
    }>>

    = |defineApi(
    (alias) defineApi<[Resource<"author", {
        row: {
            id: string;
            name: string;
            userId: string;
        };
        input: {
            name: string;
            userId: string;
        };
        relations: {
            readonly books: HasMany<"book", "authorId", 0, undefined>;
        };
        filterable: "name";
        sortable: "name";
    }>, Resource<"book", {
        row: {
            id: string;
            title: string;
            price: number | null;
            authorId: string;
        };
        input: {
            title: string;
            price: number | null;
            authorId: string;
        };
        relations: {
            readonly author: BelongsTo<"author", "authorId", 0, undefined>;
        };
        filterable: "title" | "price";
        sortable: "price";
        actions: {
            discount: {
                on: "item";
                input: {
                    ...;
                };
            };
        };
    }>]>(options: ApiOptions<...>): Api<...>
    import defineApi

    api.|local
    (property) local: Local<Resource<"author", {
        row: {
            id: string;
            name: string;
            userId: string;
        };
        input: {
            name: string;
            userId: string;
        };
        relations: {
            readonly books: HasMany<"book", "authorId", 0, undefined>;
        };
        filterable: "name";
        sortable: "name";
    }> | Resource<"book", {
        row: {
            id: string;
            title: string;
            price: number | null;
            authorId: string;
        };
        input: {
            title: string;
            price: number | null;
            authorId: string;
        };
        relations: {
            readonly author: BelongsTo<"author", "authorId", 0, undefined>;
        };
        filterable: "title" | "price";
        sortable: "price";
        actions: {
            discount: {
                on: "item";
                input: {
                    percent: number;
                };
            };
        };
    }>>

    api.local.|book
    (property) book: LocalResource<"book", Resource<"author", {
        row: {
            id: string;
            name: string;
            userId: string;
        };
        input: {
            name: string;
            userId: string;
        };
        relations: {
            readonly books: HasMany<"book", "authorId", 0, undefined>;
        };
        filterable: "name";
        sortable: "name";
    }> | Resource<"book", {
        row: {
            id: string;
            title: string;
            price: number | null;
            authorId: string;
        };
        input: {
            title: string;
            price: number | null;
            authorId: string;
        };
        relations: {
            readonly author: BelongsTo<"author", "authorId", 0, undefined>;
        };
        filterable: "title" | "price";
        sortable: "price";
        actions: {
            discount: {
                on: "item";
                input: {
                    percent: number;
                };
            };
        };
    }>>

    api.local.author.|list(
    (method) list<{
        readonly name: true;
        readonly books: true;
    }>(query?: ListOptions<FilterOf<{
        name: string;
    }, {
        readonly books: ManyFilter<FilterOf<{
            title: string;
            price: number | null;
        }, {
            readonly author: FilterOf<{
                name: string;
            }, ...>;
        }>>;
    }>, "name" | "-name", {
        readonly id?: true;
        readonly name?: true;
        readonly userId?: true;
        readonly books?: true | (RelationQuery<FilterOf<{
            title: string;
            price: number | null;
        }, {
            readonly author: FilterOf<{
                name: string;
            }, ...>;
        }>, "price" | "-price" | "author.name" | "-author.name", {}, TypeMistake<"'book' has no 'search', so that its rows can't be searched.">> & RelationGroups<...>);
    }, TypeMistake<...>> | undefined): Promise<...>

    api.local.book.|get(
    (method) get<undefined>(id: string, options?: CallOptions<{}> | undefined): Promise<{
        id: string;
        title: string;
        price: number | null;
        authorId: string;
    } | null>

    api.local.book.|create(
    (method) create<undefined>(data: {
        title: string;
        price: number | null;
        authorId: string;
    }, options?: CallOptions<{}> | undefined): Promise<{
        id: string;
        title: string;
        price: number | null;
        authorId: string;
    }>

    api.local.book.|update(
    (method) update<undefined>(id: string, changes: {
        title?: string;
        price?: number | null;
        authorId?: string;
    }, options?: WriteOptions<{}> | undefined): Promise<{
        id: string;
        title: string;
        price: number | null;
        authorId: string;
    }>

    api.local.book.|delete(
    (method) delete(id: string, options?: DeleteOptions): Promise<void>

    api.local.book.|actions
    (property) actions: {
        readonly discount: (id: string, input: {
            percent: number;
        }) => Promise<{
            id: string;
            title: string;
            price: number | null;
            authorId: string;
        } | null>;
    }

    api.local.book.actions.|discount(
    (property) discount: (id: string, input: {
        percent: number;
    }) => Promise<{
        id: string;
        title: string;
        price: number | null;
        authorId: string;
    } | null>

    api.local.book.|watch(
    (method) watch<undefined>(query?: (WatchOptions<string, FilterOf<{
        title: string;
        price: number | null;
    }, {
        readonly author: FilterOf<{
            name: string;
        }, {
            readonly books: ManyFilter<FilterOf<{
                title: string;
                price: number | null;
            }, ...>>;
        }>;
    }>, {}> & {
        readonly after?: string;
    }) | undefined): AsyncIterableIterator<LocalChange<{
        id: string;
        title: string;
        price: number | null;
        authorId: string;
    }>> (+1 overload)
    "
  `);
});
