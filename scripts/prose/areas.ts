import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readMarkdown, splitGenerated } from "./read-markdown.ts";
import { readSource } from "./read-source.ts";
import { findBrokenRule, type Rule } from "./rules.ts";
import type { Sentence } from "./sentence.ts";
import { isTitle, readTitles, subjectOf, TITLE_RULE } from "./titles.ts";

export const AREAS = ["docs", "changesets", "comments", "messages", "tests", "titles"] as const;
export type Area = (typeof AREAS)[number];

export interface Finding extends Sentence {
  readonly area: Area;
  readonly rule: Rule;
  /** True for the title of a commit that is on the main branch already. */
  readonly isPast: boolean;
}

export interface Report {
  readonly findings: readonly Finding[];
  /** Sentences of each area, good and bad. */
  readonly sentences: Readonly<Record<Area, number>>;
}

const IGNORED =
  /(?:^|\/)(?:node_modules|dist|coverage)\/|\.d\.ts$|^scripts\/prose\/.*\.test\.ts$|^scripts\/prose\/rules\.ts$/;
const DOCS = /^(?:README|CONTRIBUTING|SECURITY)\.md$|^docs\/.*\.md$|(?:^|\/)README\.md$/;
const SOURCE = /\.(?:ts|tsx|mts|mjs|js)$/;
const TEST = /^tests\/|\/tests?\/|\.test(?:-d)?\.ts$|^packages\/(?:bench|test-servers)\//;

/** Checks files of the repository, or those of them that are named. */
export function checkProse(root: string, only?: readonly string[]): Report {
  const sentences = Object.fromEntries(AREAS.map((area) => [area, 0])) as Record<Area, number>;
  const findings: Finding[] = [];
  const check = (area: Area, list: readonly Sentence[]): void => {
    sentences[area] += list.length;
    for (const sentence of list) {
      const rule = findBrokenRule(sentence.text);
      if (rule !== undefined) findings.push({ ...sentence, area, rule, isPast: false });
    }
  };
  for (const file of only ?? listFiles(root)) {
    const text = () => readFileSync(join(root, file), "utf8");
    if (file.endsWith(".md")) {
      const area = file.startsWith(".changeset/") ? "changesets" : DOCS.test(file) || only ? "docs" : undefined;
      if (area !== undefined) {
        const { written, generated } = splitGenerated(text());
        check(area, readMarkdown(file, written));
        // Generated tables repeat the names of tests.
        check("tests", readMarkdown(file, generated));
      }
    } else if (SOURCE.test(file)) {
      const { comments, messages, tests } = readSource(file, text());
      check("comments", comments);
      // Strings of tests are data; only the names of tests are prose.
      if (!TEST.test(file)) check("messages", messages);
      check("tests", tests);
    }
  }
  if (only === undefined) {
    for (const title of readTitles(root)) {
      sentences.titles += 1;
      const rule = isTitle(title.text) ? findBrokenRule(subjectOf(title.text)) : TITLE_RULE;
      if (rule !== undefined) findings.push({ ...title, area: "titles", rule, isPast: !title.isNew });
    }
  }
  return { findings, sentences };
}

/** Files that git tracks or would track; every file where there is no git. */
function listFiles(root: string): readonly string[] {
  return all(root).filter((file) => !IGNORED.test(file));
}

function all(root: string): readonly string[] {
  try {
    const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"];
    const files = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
    return files.filter((file) => file !== "" && globSync(file, { cwd: root }).length > 0);
  } catch {
    return globSync("{*,.changeset,docs,examples,packages,scripts,tests}/**/*.{md,ts,mjs,js}", {
      cwd: root,
      exclude: (name) => name === "node_modules" || name === "dist",
    });
  }
}
