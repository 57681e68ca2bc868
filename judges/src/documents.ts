import SwaggerParser from "@apidevtools/swagger-parser";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Judge, runCommand } from "./judge.ts";

/** Programs that read the OpenAPI document. */
export const DOCUMENT_JUDGES: readonly Judge[] = [
  {
    name: "Spectral reports nothing, warnings included",
    async run({ folder }) {
      writeFileSync(join(folder, ".spectral.json"), JSON.stringify({ extends: ["spectral:oas"] }));
      runCommand("spectral", ["lint", "openapi.json", "--ruleset", ".spectral.json", "--fail-severity=warn"], folder);
    },
  },
  {
    name: "Redocly reports nothing, warnings included",
    async run({ folder }) {
      const said = runCommand("redocly", ["lint", "openapi.json", "--max-problems=100"], folder);
      if (/warning/i.test(said) && !/0 warnings/.test(said)) throw new Error(said);
    },
  },
  {
    name: "swagger-parser validates the document",
    async run({ folder }) {
      await SwaggerParser.validate(join(folder, "openapi.json"));
    },
  },
];
