import type { WireObject, WireType, WireUnion } from "../model/wire-type.ts";
import { isPlainObject } from "../errors/refuse.ts";
import { isName } from "./schema/names.ts";

/**
 * Returns the union of a JSON type if GraphQL can express it: the names of all options and members must be GraphQL
 * names.
 */
export function unionOf(type: WireType): WireUnion | undefined {
  const union = type.kind === "json" ? type.union : undefined;
  const isNamed = union?.options.every(
    ({ type: option }) => isName(option.name ?? "") && option.members.every(({ name }) => isName(name)),
  );
  return isNamed === true ? union : undefined;
}

/**
 * Returns the options with the same type for the discriminator in all of them, so that a document can select it on
 * every option.
 */
export function alikeOptions({ name, discriminator, options }: WireUnion): WireUnion["options"] {
  const values = options.map(({ value }) => value);
  const discriminatorType: WireType =
    name === undefined
      ? { kind: "string", nullable: false }
      : {
          kind: "enum",
          nullable: false,
          values,
          name: name + discriminator.charAt(0).toUpperCase() + discriminator.slice(1),
        };
  return options.map(({ value, type }) => {
    const members = type.members.map((member) =>
      member.name === discriminator ? { ...member, type: discriminatorType } : member,
    );
    return { value, type: { ...type, members } };
  });
}

/** Returns the name of an option in a one-of input: `paperBook` for `PaperBook`. */
export function optionName({ name = "" }: WireObject): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Converts a value with one-of inputs to the form of its schema, with discriminators. */
export function fromUnions(type: WireType, value: unknown): unknown {
  if (!hasUnion(type) || value === null || value === undefined) return value;
  if (type.kind === "list") return Array.isArray(value) ? value.map((item) => fromUnions(type.item, item)) : value;
  if (!isPlainObject(value)) return value;
  if (type.kind === "object") return fromMembers(type, value);
  const union = unionOf(type);
  const [entry] = Object.entries(value);
  const option = union?.options.find((one) => optionName(one.type) === entry?.[0]);
  if (union === undefined || option === undefined || !isPlainObject(entry?.[1])) return value;
  return { [union.discriminator]: option.value, ...fromMembers(option.type, entry[1]) };
}

function fromMembers({ members }: WireObject, value: Readonly<Record<string, unknown>>): object {
  const types = new Map(members.map((member) => [member.name, member.type]));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const type = types.get(name);
      return [name, type === undefined ? one : fromUnions(type, one)];
    }),
  );
}

const KNOWN = new WeakMap<WireType, boolean>();

/** Whether a value of the type may contain a one-of input. */
export function hasUnion(type: WireType): boolean {
  let known = KNOWN.get(type);
  if (known === undefined) {
    known =
      unionOf(type) !== undefined ||
      (type.kind === "list" && hasUnion(type.item)) ||
      (type.kind === "object" && type.members.some((member) => hasUnion(member.type)));
    KNOWN.set(type, known);
  }
  return known;
}
