import { EDITION, type EditionRow } from "../editions.ts";
import type { Work } from "../works.ts";
import { databaseUsed } from "./database-used.ts";
import { databaseName, type DatabaseName } from "./database.ts";
import { GUARANTEES } from "./guarantees.ts";

const NAMES: Readonly<Record<DatabaseName, string>> = { postgres: "PostgreSQL", sqlite: "SQLite" };
const withoutIds = (rows: readonly EditionRow[]): unknown =>
  rows.map((row) => Object.keys(EDITION).map((name) => row[name as keyof EditionRow]));
const one = {
  path: "/editions",
  status: 201,
  body: JSON.stringify(EDITION),
  pick: (row: EditionRow) => withoutIds([row]),
} as const;
const many = {
  path: "/editions",
  status: 201,
  body: JSON.stringify(Array.from({ length: 100 }, () => EDITION)),
  rows: 100,
  connections: 8,
  pick: withoutIds,
} as const;
/** Every request has another key. */
const withKey = { headers: { "idempotency-key": '"request-$N"' } };

function worksOn(database: DatabaseName): readonly Work[] {
  return worksOf(database).map((work) => ({
    ...work,
    ...(database === "postgres" && { databaseUsed: (pid: number) => databaseUsed(databaseName(pid)) }),
  }));
}

function worksOf(database: DatabaseName): readonly Work[] {
  const ours = `sql-writes-bifocal ${database}`;
  const byHand = (guarantee: string): string => `sql-writes-by-hand ${database} ${guarantee}`;
  const steps = GUARANTEES.filter((name) => name !== "receipt" && (name !== "position" || database === "postgres"));
  const withoutKey = [ours, `${ours} version`, ...steps.map(byHand)];
  return [
    { ...one, name: `${NAMES[database]}, create`, contenders: withoutKey },
    {
      ...one,
      ...withKey,
      name: `${NAMES[database]}, create with Idempotency-Key`,
      contenders: [ours, byHand("receipt")],
    },
    { ...many, name: `${NAMES[database]}, create 100`, contenders: withoutKey },
    {
      ...many,
      ...withKey,
      name: `${NAMES[database]}, create 100 with Idempotency-Key`,
      contenders: [ours, byHand("receipt")],
    },
  ];
}

export const sqlWriteWorks: readonly Work[] = [...worksOn("postgres"), ...worksOn("sqlite")];
