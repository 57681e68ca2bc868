// Writes the table of the catalog and the figures into docs/security.md.
import { readFileSync, writeFileSync } from "node:fs";
import { withFigures } from "./figures.ts";
import { ROOT } from "./find-tests.ts";
import { BEGIN, END, printTable } from "./table.ts";

const path = `${ROOT}docs/security.md`;
const page = readFileSync(path, "utf8");
const [before, rest = ""] = page.split(BEGIN);
const after = rest.split(END)[1];
if (before === undefined || after === undefined) throw new Error(`${path} has no place for it.`);
writeFileSync(path, withFigures(`${before}${BEGIN}${printTable()}${END}${after}`));
