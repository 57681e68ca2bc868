import { expect, test } from "vitest";
import { createApiDocuments } from "../../src/rest/routes/create-api-documents.ts";

test("caches documents for a few prefixes, not for any number of them", () => {
  let written = 0;
  const document = () => {
    written++;
    return { issuer: "here" };
  };
  const { texts } = createApiDocuments({
    model: { resources: new Map() },
    info: { title: "API", version: "1" },
    schemes: {},
    formats: [],
    openapiVersion: "3.1",
    hasDocs: false,
    methodsOfPath: new Map(),
    documents: { "/about": document },
    writeSamples: () => [],
  });
  const read = (prefix: string) => texts.get("/about")?.(prefix);
  for (let n = 0; n < 3; n++) expect(read("/api")).toBe('{"issuer":"here"}');
  expect(written).toBe(1);
  for (let n = 0; n < 100; n++) read(`/${n}`);
  expect(written).toBe(101);
  read("/0");
  expect(written).toBe(102);
});
