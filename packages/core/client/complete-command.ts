/** Adds the host to a curl command, which the server writes with a path only. */
export function completeCommand(code: Element): void {
  code.textContent = code.textContent.replace(" '/", ` '${location.origin}/`);
}
