import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Judge } from "../judge.ts";
import { REQUESTS, type Sent } from "../requests.ts";
import { INVALID_REQUESTS } from "./invalid-requests.ts";
import { operationOf, operationsOf, type OpenApiDocument } from "./operations.ts";
import { type Outcome, startPrismProxies } from "./prism-proxies.ts";
import { MEDIA, request, sendValidRequests } from "./valid-requests.ts";

/** The bookstore reads API keys in code only, so no such request can succeed. */
const DENIED: readonly Sent[] = [request("GET", "/api-keys/none")];

/** A client may send back what it read: the API ignores the key of a row in a replacement that cannot create one. */
const LENIENT: readonly Sent[] = [
  request("PUT", "/users/admin", {
    id: "admin",
    name: "Admin",
    email: null,
    role: "admin",
    shopId: "harbor",
    active: true,
  }),
];

type Expectation = "accepted" | "rejected" | "denied" | "lenient";

export const prismRequests: Judge = {
  name: "Prism, as a validating proxy, agrees with the API on which requests are valid",
  async run({ url, folder }) {
    const document = JSON.parse(readFileSync(join(folder, "openapi-all.json"), "utf8")) as OpenApiDocument;
    const operations = operationsOf(document);
    const proxies = await startPrismProxies(url, document, Object.values(MEDIA));
    const objections: string[] = [];
    const accepted = new Map<string, number>();
    const rejected = new Map<string, number>();
    const denied = new Set<string>();

    const judged = async (sent: Sent, expected?: Expectation): Promise<Outcome> => {
      const outcome = await proxies.send(sent);
      const { status, text, requestErrors } = outcome;
      const isAccepted = status >= 200 && status < 400;
      const isRejected = status >= 400 && status < 500;
      const isValid = requestErrors.length === 0;
      const object = (what: string): void => {
        const { "content-type": type = "" } = sent.headers;
        const line = [sent.method, sent.path, type, sent.body ?? ""].join(" ");
        objections.push(`${what}\n  ${line}\n  ${status} ${isAccepted ? "" : text}\n  ${requestErrors.join("\n  ")}`);
      };
      if (expected === "lenient" ? isValid : isAccepted ? !isValid : !isRejected)
        object("Prism calls a request invalid that the API does not reject with 4xx:");
      else if (expected === "accepted" && !isAccepted) object("The API rejects a valid request:");
      else if (expected === "rejected" && (isValid || !isRejected)) object("Prism calls an invalid request valid:");
      else if (expected === "denied" && (!isValid || !isRejected)) object("The API must deny this valid request:");
      const operation = operationOf(operations.keys(), sent.method, sent.path);
      if (operation !== undefined) {
        if (isAccepted) accepted.set(operation, (accepted.get(operation) ?? 0) + 1);
        if (isRejected && !isValid) rejected.set(operation, (rejected.get(operation) ?? 0) + 1);
        if (expected === "denied") denied.add(operation);
      }
      return outcome;
    };

    try {
      await sendValidRequests((sent) => judged(sent, "accepted"));
      for (const sent of INVALID_REQUESTS) await judged(sent, "rejected");
      for (const sent of DENIED) await judged(sent, "denied");
      for (const sent of LENIENT) await judged(sent, "lenient");
      for (const sent of REQUESTS) await judged(sent);
    } catch (thrown) {
      objections.push(String(thrown));
    } finally {
      proxies.stop();
    }
    for (const [operation, mediaTypes] of operations) {
      if (denied.has(operation)) continue;
      if (!accepted.has(operation)) objections.push(`${operation}: no accepted request.`);
      if (mediaTypes.length > 0 && !rejected.has(operation)) objections.push(`${operation}: no rejected request.`);
    }
    const total = (counts: ReadonlyMap<string, number>): number =>
      [...counts.values()].reduce((sum, one) => sum + one, 0);
    console.log(
      `      ${operations.size} operations: ${total(accepted)} accepted requests, ${total(rejected)} invalid requests rejected`,
    );
    if (objections.length > 0) throw new Error(objections.join("\n"));
  },
};
