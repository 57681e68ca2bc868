import { checkCallOptions, checkRequired } from "@bifocal/core/internal";
import { ANSWER_AUDITS } from "./answer-audits.ts";
import { createAuditClient, type RestAudit } from "./audit.ts";
import { CONDITIONAL_AUDITS } from "./conditional-audits.ts";
import { METHOD_AUDITS } from "./method-audits.ts";
import { NEGOTIATION_AUDITS } from "./negotiation-audits.ts";
import { WRITE_AUDITS } from "./write-audits.ts";

/** Every audit of the REST interface. */
export const REST_AUDITS: readonly RestAudit[] = [
  ...METHOD_AUDITS,
  ...CONDITIONAL_AUDITS,
  ...NEGOTIATION_AUDITS,
  ...WRITE_AUDITS,
  ...ANSWER_AUDITS,
];

export interface AuditResult extends Pick<RestAudit, "id" | "level" | "name" | "source"> {
  /** Why the audit failed. Absent if it passed. */
  readonly reason?: string;
}

/**
 * Runs every audit against a server that has `createAuditApi()` mounted at `url`.
 *
 * @example expect((await auditRest({ url })).filter(({ reason }) => reason)).toEqual([]);
 */
export async function auditRest(options: {
  readonly url: string;
  readonly fetch?: typeof fetch;
}): Promise<readonly AuditResult[]> {
  checkCallOptions("auditRest", options, { url: "a string", fetch: "a function" });
  const { url, fetch: fetchFn = fetch } = options;
  checkRequired("auditRest", "url", url, '{ url: "http://localhost:3000" }');
  const client = createAuditClient(url, fetchFn);
  const results: AuditResult[] = [];
  for (const { id, level, name, source, run } of REST_AUDITS) {
    const audit = { id, level, name, source };
    try {
      await run(client);
      results.push(audit);
    } catch (thrown) {
      results.push({ ...audit, reason: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }
  return results;
}
