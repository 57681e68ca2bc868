/** The target of a request as path and query, in whichever form it came: a server accepts the absolute one too (RFC 9112 §3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return rest.startsWith("/") || rest === target ? rest : `/${rest}`;
}
