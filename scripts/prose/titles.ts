import { execFileSync } from "node:child_process";
import { type Rule } from "./rules.ts";
import type { Sentence } from "./sentence.ts";

const CONVENTIONAL = /^(?:feat|fix|perf|refactor|docs|test|build|ci|chore|style|revert)(?:\([\w/, -]+\))?!?: (?=\S)/;
const NOT_A_VERB =
  /^(?:a|an|the|no|not|one|two|what|who|where|when|if|that|this|it|its|they|of|in|on|by|for|from|with|without|as|at|all|each|every|more|less|once|only|also|and)\b|^\w+(?<!br|str|spr|k|s)ing\b|^(?!\w*(?:eed|embed|shed)\b)\w{3,}ed\b/i;

/** A title that git history can't change any more is reported, but only titles that are new fail. */
export interface Title extends Sentence {
  readonly isNew: boolean;
}

export const TITLE_RULE: Rule = {
  id: "commit-title",
  hint: "Write `type(scope): ` and an imperative verb: `fix(rest): return 409 when two patches conflict`.",
  patterns: [],
};

/** Whether a title is conventional and begins with a verb in the imperative. */
export function isTitle(title: string): boolean {
  const type = CONVENTIONAL.exec(title);
  return type !== null && !NOT_A_VERB.test(title.slice(type[0].length));
}

/** The part that reads as a sentence. */
export function subjectOf(title: string): string {
  const subject = title.replace(CONVENTIONAL, "");
  return subject.charAt(0).toUpperCase() + subject.slice(1);
}

/** Reads the titles of the last 100 commits. Returns an empty list outside a git repository. */
export function readTitles(root: string): readonly Title[] {
  const base = git(root, "merge-base", "HEAD", "origin/main") ?? git(root, "merge-base", "HEAD", "main");
  const fresh = new Set(base === undefined ? [] : git(root, "log", "--format=%h", `${base}..HEAD`)?.split("\n"));
  const log = git(root, "log", "-100", "--no-merges", "--format=%h %s") ?? "";
  return log
    .split("\n")
    .filter((line) => line !== "" && !/^\w+ Version Packages$/.test(line))
    .map((line) => {
      const [commit = "", ...words] = line.split(" ");
      return { file: `commit ${commit}`, line: 1, text: words.join(" "), isNew: fresh.has(commit) };
    });
}

function git(root: string, ...args: string[]): string | undefined {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}
