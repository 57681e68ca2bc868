import { credentialTemplate } from "./credential.ts";

/** Adds the host and a placeholder for the credential to a curl command, which the server writes with a path only. */
export function completeCommand(code: Element): void {
  const template = credentialTemplate();
  const credential = template === undefined ? "" : ` -H "${template}"`;
  code.textContent = code.textContent.replace(/ '(\/[^']*'$)/, `${credential} '${location.origin}$1`);
}
