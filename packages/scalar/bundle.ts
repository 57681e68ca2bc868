import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";

const PACKAGE = "@scalar/fastify-api-reference";
/** The standalone bundle is a string in the package's module. */
const BUNDLE = /^var standalone_default = ("(?:[^"\\\n]|\\.)*");$/m;
/** The package doesn't contain the source map, which browsers would request. */
const SOURCE_MAP = /\n\/\/# sourceMappingURL=\S+\s*$/;

interface ScalarBundle {
  readonly script: string;
  readonly version: string;
  readonly license: string;
}

/**
 * Returns Scalar's script for browsers. It is the `standalone.js` of `@scalar/api-reference`, taken from Scalar's plugin
 * for Fastify, which installs 13 MB instead of 311.
 */
export function readScalar(): ScalarBundle {
  const module = createRequire(import.meta.url).resolve(PACKAGE);
  const [, literal] = BUNDLE.exec(readFileSync(module, "utf8")) ?? [];
  if (literal === undefined) throw new Error(`${PACKAGE} has no bundle where it is expected. Update this file.`);
  const folder = dirname(dirname(module));
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly version: string };
  return {
    script: (runInNewContext(literal) as string).replace(SOURCE_MAP, "\n"),
    version,
    license: readFileSync(join(folder, "LICENSE"), "utf8"),
  };
}
