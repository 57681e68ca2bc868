import { allow, belongsTo, defineApi, defineResource, hasMany, type Store } from "@bifocal/core";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };

const maker = defineResource("maker", {
  fields: { id: z.int32(), fullName: z.string() },
  relations: { goods: hasMany("good", "makerId") },
  access,
  filterable: ["fullName"],
  sortable: ["fullName"],
});

const good = defineResource("good", {
  fields: {
    id: z.int32(),
    title: z.string(),
    makerId: z.int32().nullable(),
    genre: z.string(),
    price: z.number().nullable(),
    stock: z.int(),
    sold: z.bigint(),
    extra: z.json(),
    words: z.array(z.string()),
    addedAt: z.iso.datetime(),
    isOpen: z.boolean(),
  },
  relations: { maker: belongsTo("maker", "makerId") },
  access,
  filterable: ["title", "genre", "price", "stock", "sold", "words", "addedAt", "isOpen"],
  sortable: ["title", "genre", "price", "addedAt"],
});

/** Two resources over tables that already exist. */
export function createShop(store: Store) {
  return defineApi({ resources: [maker, good], store });
}

/** The tables, written by hand, with names, types and collations that are typical of existing applications. */
export const TABLES = {
  postgres: [
    `create schema shop`,
    `create type shop.kind as enum ('zine', 'novel', 'essay')`,
    `create table shop."Makers" ("ID" integer primary key, "FullName" varchar(20) not null)`,
    `create table shop.good_items (
      id smallint primary key, title varchar(20) not null, maker integer references shop."Makers", genre shop.kind not null,
      price numeric(6,2), stock int8 not null, sold numeric(16,0) not null, extra jsonb, words text[] not null,
      added timestamp without time zone not null, is_open boolean not null, constraint only_one unique (title))`,
    `insert into shop."Makers" values (1, 'Ann'), (2, 'ben')`,
    `insert into shop.good_items values
      (1, 'Emma', 1, 'novel', 10.50, 3, 9007199254740993, '{"b": [1, null], "a": "x"}', '{x,"y z"}', '2026-01-01 12:00:00.123456', true),
      (2, 'emma', 2, 'zine', null, 0, 1, 'null', '{}', '2025-12-31 23:59:59', false)`,
  ],
  mysql: [
    `create table Makers (ID integer primary key, FullName varchar(20) not null) character set utf8mb4 collate utf8mb4_general_ci`,
    `create table good_items (
      id smallint primary key, title varchar(20) not null, maker integer, genre enum('zine', 'novel', 'essay') not null,
      price decimal(6,2), stock bigint not null, sold decimal(12,0) not null, extra json, words json not null,
      added datetime(6) not null, is_open tinyint(1) not null, key (title), constraint of_maker foreign key (maker) references Makers (ID)
    ) character set utf8mb4 collate utf8mb4_general_ci`,
    `insert into Makers values (1, 'Ann'), (2, 'ben')`,
    `insert into good_items values
      (1, 'Emma', 1, 'novel', 10.50, 3, 900719925474, '{"b": [1, null], "a": "x"}', '["x", "y z"]', '2026-01-01 12:00:00.123456', 1),
      (2, 'emma', 2, 'zine', null, 0, 1, null, '[]', '2025-12-31 23:59:59', 0)`,
  ],
} as const;

export const NAMES = {
  postgres: {
    maker: { table: "shop.Makers", columns: { id: "ID", fullName: "FullName" } },
    good: { table: "shop.good_items", columns: { makerId: "maker", addedAt: "added" } },
  },
  mysql: {
    maker: { table: "Makers", columns: { id: "ID", fullName: "FullName" } },
    good: { table: "good_items", columns: { makerId: "maker", addedAt: "added" } },
  },
} as const;
