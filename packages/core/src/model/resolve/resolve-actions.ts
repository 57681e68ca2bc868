import type { z } from "zod";
import type { Action } from "../../definition/actions.ts";
import type { ActionInputModel, ActionModel, ActionOutputModel } from "../model.ts";
import { CoerceError, coerceWire } from "../coerce.ts";
import { resolveShape } from "../shape/resolve-shape.ts";
import { NoWireForm, type Side, type ValueShape } from "../shape/value-shape.ts";
import { parseValue } from "../parse/input-parser.ts";
import { isZodType } from "./collect-resources.ts";
import type { Pass, Report } from "./draft.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, readEntries, readText } from "./read-config.ts";
import { checkOption, resolveRule } from "./resolve-access.ts";
import { checkName } from "./resolve-names.ts";
import { resolveDeprecation } from "./resolve-deprecation.ts";

const OPTIONS = namesOf<Action<unknown, unknown, "item" | "collection", unknown, unknown, string>>({
  on: true,
  input: true,
  output: true,
  access: true,
  description: true,
  deprecated: true,
  run: true,
});

export const resolveActions: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    const beneath = new Map([...draft.declared.keys()].map((name) => [kebabCase(name), `relation '${name}'`]));
    const beside = new Map<string, string>();
    for (const [name, action] of readEntries(draft.config["actions"], `${draft.name}.actions`, report)) {
      const at = `${draft.name}.actions.${name}`;
      checkName(name, at, report);
      if (!isObject(action) || typeof action["run"] !== "function") {
        report(
          at,
          "Expected an action.",
          'Pass { on: "item", input: z.object({ … }), access: rule, run: (context) => … }.',
        );
        continue;
      }
      checkMembers(action, OPTIONS, at, report);
      checkOption(action["on"], ["item", "collection"], `${at}.on`, report);
      if (action["on"] === undefined)
        report(`${at}.on`, "The option is missing.", 'Set on: "item" or on: "collection".');
      const segment = kebabCase(name);
      const paths = action["on"] === "item" ? beneath : beside;
      const taken = paths.get(segment);
      if (taken === undefined) paths.set(segment, `action '${name}'`);
      else {
        report(at, `The ${taken} already uses this path.`, "Rename the action.");
      }
      const deprecation = resolveDeprecation(action["deprecated"], `${at}.deprecated`, report);
      draft.actions.set(name, {
        name,
        on: action["on"] === "collection" ? "collection" : "item",
        input: resolveInput(`the action '${name}'`, action["input"], `${at}.input`, report),
        output: resolveOutput(`action ${draft.name}.${name}`, action["output"], `${at}.output`, report),
        access: resolveRule(action["access"], `${at}.access`, report),
        description: readText(action["description"], `${at}.description`, report),
        deprecated: deprecation?.reason,
        deprecation,
        run: action["run"] as ActionModel["run"],
      });
    }
  }
};

/** @param what - the owner of the input, for messages: `the action 'publish'` */
export function resolveInput(what: string, schema: unknown, at: string, report: Report): ActionInputModel | undefined {
  const shape = shapeOf(schema, "input", at, report);
  if (shape === undefined) return undefined;
  const zod = schema as z.ZodType;
  return {
    schema: zod,
    type: shape.type,
    optional: shape.absent,
    parse: (input, form) => parseValue({ schema: zod, input: shape, path: [], what }, input, form),
  };
}

/** @param what - the owner of the output, for messages: `action book.publish` */
export function resolveOutput(
  what: string,
  schema: unknown,
  at: string,
  report: Report,
): ActionOutputModel | undefined {
  const shape = shapeOf(schema, "output", at, report);
  if (shape === undefined) return undefined;
  return {
    schema: schema as z.ZodType,
    type: shape.absent ? { ...shape.type, nullable: true } : shape.type,
    toValue: (wire) => {
      if (wire === null) return shape.type.nullable ? null : undefined;
      return shape.decode === undefined ? wire : shape.decode(wire);
    },
    toWire: (value) => {
      if (value === undefined && shape.absent) return null;
      try {
        // Only declared members are sent, even if the action returned more.
        return coerceWire(shape.type, value === null || shape.encode === undefined ? value : shape.encode(value));
      } catch (thrown) {
        if (!(thrown instanceof CoerceError)) throw thrown;
        throw new Error(`The output of ${what} doesn't match its schema: ${thrown.message}`, {
          cause: thrown,
        });
      }
    },
  };
}

function shapeOf(schema: unknown, side: Side, at: string, report: Report): ValueShape | undefined {
  if (schema === undefined) return undefined;
  if (!isZodType(schema)) {
    report(at, "Expected a Zod schema.", "Pass a Zod 4 schema, or remove the option.");
    return undefined;
  }
  try {
    return resolveShape(schema, side);
  } catch (thrown) {
    if (!(thrown instanceof NoWireForm)) throw thrown;
    report(at, thrown.message, thrown.fix);
    return undefined;
  }
}
