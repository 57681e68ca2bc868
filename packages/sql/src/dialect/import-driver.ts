/** How Node, Bun, Deno, workerd and bundled modules report a package that isn't installed. */
const MISSING = /^(?:Cannot find (?:package|module)|No such module|Import) ["']([\w-]+)(?:\/\w+)?["']/;

/** Imports the driver of a database. The error says whether its package is missing or failed to load. */
export async function importDriver<T>(database: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { message } = cause as Error;
    if (MISSING.exec(message)?.[1] === name)
      throw new Error(`A ${database} store needs the package '${name}': npm install ${name}`, { cause });
    throw new Error(`The package '${name}' of the ${database} store failed to load: ${message}`, { cause });
  }
}
