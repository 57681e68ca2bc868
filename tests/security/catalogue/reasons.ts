/** Explanations of cases that don't apply here, or that differ from the catalog. */
export const REASONS: Readonly<Record<string, string>> = {
  A25: "In process, no event is sent for a row that leaves the view, because items are rows.",
  A30: "Responses that depend on the caller are `private, no-cache`, as the wire contract requires: browsers can store them, and revalidate each time.",
  A34: "Bifocal serves no health or version page. `/openapi.json` is part of the contract, and names nothing internal.",
  D03: "Fastify returns its own 404 for a method that its router doesn't support.",
  D07: "GET is enabled for queries, and rejected for pages of other sites.",
  F07: "A second `connection_init` is 4429 by the protocol, so a client reconnects on another socket.",
  F14: "100 at once, because one client can have that many subscriptions, and then one each 5 seconds.",
  G11: "The host sets the number of files and connections of a process.",
  H18: "Bifocal has no login: the authorization server or the host handles passwords. A key has 256 bits, a token a signature.",
  I07: "Windows are fixed: at the end of a window, a caller can spend up to twice the points.",
  J01: "`/livez` and `/readyz` belong to the host. They can use `api.ready`.",
  J19: "A test can't fill a disk. Errors of a read-only copy are handled in the same way.",
};
