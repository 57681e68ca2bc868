import type { CallMember, MemberParts } from "./calls.ts";
import type { Options } from "./lens.ts";
import type { SharedFunctions } from "./shared-functions.ts";

/** Calls an action or a query with the arguments that it takes: an id, an input and options. */
export async function callMember(
  { name, describe, ask, toItem, toPage, ...of }: MemberParts & SharedFunctions,
  ...[operation, member, given]: Parameters<CallMember>
): Promise<unknown> {
  const { actions, queries } = of.resourceNamed(await describe(), name);
  const own = (operation === "act" ? actions : queries)[member];
  if (own === undefined) throw new of.BifocalError("NOT_FOUND", `'${name}' has no '${member}'.`);
  const { on, returns, form } = own;
  const rest = [...given];
  const id = on === "item" ? rest.shift() : undefined;
  const input = "hasInput" in own || operation === "act" ? rest.shift() : undefined;
  const asked = await ask(operation, rest[0] as Options | undefined, (resource) => ({
    own,
    input,
    ...(on === "item" ? { id: of.formatId(resource, id) } : {}),
  }));
  const { row, version, value } = asked.result;
  if (returns === "value") return of.decodeValue(form, value, `${name}.${member}`);
  if (returns === "rows") return toPage(asked);
  if (returns === "nothing") return undefined;
  return row ? toItem(asked.call, row, version) : null;
}
