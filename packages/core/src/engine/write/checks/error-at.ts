import { isBifocalError, type Issue, withIssues } from "../../../errors/bifocal-error.ts";
import { attemptOf, UniqueViolation } from "./unique-violation.ts";

/** Adds a path of the input to an error. */
export function errorAt(thrown: unknown, at: Issue["path"]): unknown {
  if (isBifocalError(thrown)) {
    const own = thrown.issues.length > 0 ? thrown.issues : [{ path: [], message: thrown.message, code: thrown.code }];
    return withIssues(
      thrown,
      own.map((issue) => ({ ...issue, path: [...at, ...issue.path] })),
    );
  }
  if (!(thrown instanceof UniqueViolation)) return thrown;
  return new UniqueViolation(thrown.fields, { ...attemptOf(thrown), path: [...at, ...thrown.path] });
}
