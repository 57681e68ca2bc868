import { closestName } from "@bifocal/core/internal";
import type { DefinitionMistake, Model, ResourceModel } from "@bifocal/core/store";
import { isText } from "./column.ts";
import type { TableOptions } from "./naming.ts";
import { fullName, linkColumns, type NamingOptions, resolveNames } from "./resolve-tables.ts";

const TABLE_OPTIONS: Readonly<Record<keyof TableOptions, true>> = {
  table: true,
  columns: true,
  keep: true,
  trigrams: true,
};

/** Returns the mistakes in `tables` and `links`, and the link tables that are also the table of a resource. */
export function namingMistakes(
  model: Model,
  resources: readonly ResourceModel[],
  options: NamingOptions,
): readonly DefinitionMistake[] {
  const { tables = {}, links = {} } = options;
  const throughs = resources.flatMap(({ relations }) =>
    [...relations.values()].flatMap(({ through }) => through ?? []),
  );
  const ofTables = Object.entries(tables).flatMap(([name, table]) => {
    const at = `sqlStore.tables.${name}`;
    const resource = model.resources.get(name);
    if (resource === undefined) return [unknown(at, "resource", name, model.resources.keys())];
    return [...tableMistakes(at, table, [...resource.fields.keys()]), ...trigramMistakes(at, table, resource)];
  });
  const ofLinks = Object.entries(links).flatMap(([name, table]) => {
    const at = `sqlStore.links.${name}`;
    const columns = throughs.flatMap((one) => (one.name === name ? [...one.from, ...one.to] : []));
    if (columns.length > 0) return tableMistakes(at, table, columns);
    const names = throughs.map((one) => one.name);
    return [unknown(at, "link table", name, names)];
  });
  return [...ofTables, ...ofLinks, ...sharedTables(resources, options)];
}

function tableMistakes(at: string, table: TableOptions, columns: readonly string[]): readonly DefinitionMistake[] {
  const options = Object.keys(TABLE_OPTIONS);
  return [
    ...Object.keys(table)
      .filter((name) => !options.includes(name))
      .map((name) => unknown(`${at}.${name}`, "option", name, options)),
    ...Object.keys(table.columns ?? {})
      .filter((name) => !columns.includes(name))
      .map((name) => unknown(`${at}.columns.${name}`, "field", name, columns)),
  ];
}

function trigramMistakes(
  at: string,
  { trigrams = [] }: TableOptions,
  { fields }: ResourceModel,
): readonly DefinitionMistake[] {
  return trigrams.flatMap((name) => {
    const field = fields.get(name);
    if (field !== undefined && isText(field.type)) return [];
    return [{ at: `${at}.trigrams`, problem: `'${name}' isn't a text field.`, fix: "List z.string() fields." }];
  });
}

/** Inserting a link would not fill the other columns of a resource. */
function sharedTables(resources: readonly ResourceModel[], options: NamingOptions): readonly DefinitionMistake[] {
  const named = resolveNames(resources, options);
  const owners = new Map(named.map((table) => [fullName(table), table.resource.name]));
  return resources.flatMap((resource) =>
    [...resource.relations.values()].flatMap(({ name, through }) => {
      const table = through && fullName(linkColumns(through, options));
      const owner = table && owners.get(table);
      if (owner === undefined) return [];
      const problem = `The links would be stored in '${table}', the table of '${owner}'.`;
      return [{ at: `${resource.name}.relations.${name}`, problem, fix: "Set 'through' to another table." }];
    }),
  );
}

function unknown(at: string, kind: string, name: string, names: Iterable<string>): DefinitionMistake {
  const known = [...new Set(names)];
  const closest = closestName(name, known);
  const list = known.length === 0 ? "Remove it, because no names are defined." : `Available: ${known.join(", ")}.`;
  return {
    at,
    problem: `Unknown ${kind} '${name}'.`,
    fix: closest === undefined ? list : `Did you mean '${closest}'?`,
  };
}
