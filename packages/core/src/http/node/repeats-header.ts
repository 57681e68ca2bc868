import type { IncomingMessage } from "node:http";

/**
 * Whether a header was sent more than once. `headers` doesn't show that, because Node keeps only the first value of
 * some headers.
 */
export function repeatsHeader({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">, name: string): boolean {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) found += 1;
  }
  return found > 1;
}
