/** What of a case there is nothing to attack here, or is otherwise than the catalogue has it, with the reason. */
export const REASONS: Readonly<Record<string, string>> = {
  A12: "There are no aggregates: what asks for one is unknown.",
  A14: "Of a relation there is the count alone.",
  A25: "In process a row leaves the view in silence: items are rows.",
  A30: "What depends on who asks is `private, no-cache`, as the contract says: a browser may keep it, and asks each time.",
  A34: "There is no page of health or versions. `/openapi.json` is part of the contract, and names nothing internal.",
  A37: "There is no search of whole texts.",
  A42: "Deleted rows are gone, and there are no versions to read.",
  D03: "On Fastify a method that its router does not know is its 404.",
  D07: "GET is on for queries, and refused to pages of other sites.",
  F07: "A second `connection_init` is 4429 by the protocol, so a client comes back on another socket.",
  F14: "100 at once, because one client may hold as many subscriptions, and then one each 5 seconds.",
  G11: "How many files and connections a process may have is its host's to say.",
  H18: "There is no login: passwords are the authorization server's or the host's. A key has 256 bits, a token a signature.",
  I07: "Windows are fixed: around the end of one up to twice the points can be spent.",
  J01: "`/livez` and `/readyz` are the host's; `api.ready` says when.",
  J19: "No test can fill a disk: its errors are told as those of a read-only copy are.",
};
