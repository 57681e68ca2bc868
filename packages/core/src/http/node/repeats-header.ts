import type { IncomingMessage } from "node:http";

/** Whether a header came more than once; `headers` alone does not tell, because of some Node keeps the first. */
export function repeatsHeader({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">, name: string): boolean {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) found += 1;
  }
  return found > 1;
}
