/** Returns the path and query of a request target. Servers must also accept the absolute form (RFC 9112 §3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return rest.startsWith("/") || rest === target ? rest : `/${rest}`;
}
