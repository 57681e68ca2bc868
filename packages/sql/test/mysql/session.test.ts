import { servers, type TestDatabase } from "@bifocal/test-servers";
import { createFixture } from "@bifocal/testing";
import { MysqlDialect } from "kysely";
import callbacks from "mysql2";
import mysql, { type Connection, type RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SESSION } from "../../src/dialect/mysql/mysql-session.ts";
import { sqlStore } from "../../src/index.ts";

const MODE = "set sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES'";

describe.each(servers.filter(({ name, missing }) => name === "mysql" && missing === undefined))(
  "connections to $name",
  ({ create }) => {
    let database: TestDatabase;
    let connection: Connection;
    beforeAll(async () => {
      database = await create();
      connection = await mysql.createConnection({ uri: database.url });
      await connection.query(MODE);
    });
    afterAll(async () => {
      await connection.end();
      await database.drop();
    });

    test("read the backslashes of the driver, whatever the server's mode is", async () => {
      await connection.query(SESSION);
      const text = "\\' or 1=1 -- \\ \n";
      const [rows] = await connection.query<RowDataPacket[]>("select ? as text, @@sql_mode as mode", [text]);
      expect(rows).toEqual([{ text, mode: "ANSI_QUOTES,STRICT_ALL_TABLES" }]);
    });

    test("are rejected with an explanation if their mode disables backslashes", async () => {
      const pool = callbacks.createPool({ uri: database.url, connectionLimit: 1 });
      pool.on("connection", (own) => own.query(MODE));
      const opening = createFixture(() => sqlStore({ dialect: new MysqlDialect({ pool }), autoCreate: true }));
      await expect(opening).rejects.toThrow(/NO_BACKSLASH_ESCAPES.*Remove it from their sql_mode/);
      await new Promise<void>((resolve) => pool.end(() => resolve()));
    });
  },
);
