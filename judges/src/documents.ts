import SwaggerParser from "@apidevtools/swagger-parser";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Judge, runCommand } from "./judge.ts";

const FILES = ["openapi.json", "openapi-all.json"];

/** Programs that read the OpenAPI document. */
export const DOCUMENT_JUDGES: readonly Judge[] = FILES.flatMap((file): readonly Judge[] => [
  {
    name: `Spectral reports nothing in ${file}, warnings included`,
    async run({ folder }) {
      writeFileSync(join(folder, ".spectral.json"), JSON.stringify({ extends: ["spectral:oas"] }));
      runCommand("spectral", ["lint", file, "--ruleset", ".spectral.json", "--fail-severity=warn"], folder);
    },
  },
  {
    name: `Redocly reports nothing in ${file}, warnings included`,
    async run({ folder }) {
      const said = runCommand("redocly", ["lint", file, "--max-problems=100"], folder);
      if (/warning/i.test(said) && !/0 warnings/.test(said)) throw new Error(said);
    },
  },
  {
    name: `swagger-parser validates ${file}`,
    async run({ folder }) {
      await SwaggerParser.validate(join(folder, file));
    },
  },
]);
