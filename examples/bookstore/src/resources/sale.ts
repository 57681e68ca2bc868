import { belongsTo, compose, decimal, defineResource, deny, type Principal, uuid } from "@bifocal/core";
import { z } from "zod";
import { staff } from "../roles.ts";
import { ownedBy, timestamps } from "../traits.ts";

/** The shop in which a caller works. */
const shopOf = ({ claims }: Principal): string | undefined => claims?.["shop"] as string | undefined;

export const sale = defineResource("sale", {
  description: "Copies of a book that were sold together. Only the shop that sold them sees the sale.",
  ...compose(ownedBy("sellerId"), timestamps(), {
    fields: {
      id: z.uuid(),
      shopId: z.string(),
      bookId: z.uuid().nullable().meta({ description: "Null if the book was deleted." }),
      quantity: z.int32().min(1).max(1_000),
      total: decimal({ precision: 12, scale: 2, min: "0" }).meta({ description: "In euros." }),
    },
    generated: { id: uuid() },
    access: { read: staff, create: staff, update: staff, delete: deny },
  }),
  // Sales are corrected, and never deleted.
  operations: ["get", "list", "create", "update"],
  tenant: { field: "shopId", of: shopOf },
  history: true,
  relations: { shop: belongsTo("shop", "shopId"), book: belongsTo("book", "bookId", { onDelete: "setNull" }) },
  filterable: ["bookId", "sellerId", "total", "createdAt"],
  sortable: ["total", "createdAt"],
  aggregatable: ["quantity", "total"],
  groupable: ["bookId", "book.genre", "sellerId", "createdAt"],
});
