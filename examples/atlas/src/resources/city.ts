import { allow, belongsTo, defineResource, deny, hasMany } from "@bifocal/core";
import { z } from "zod";

export const city = defineResource("city", {
  fields: {
    id: z.int32().positive(),
    name: z.string(),
    province: z.string().nullable().meta({ description: "The first administrative division, in English." }),
    countryCode: z.string(),
    capital: z.boolean().meta({ description: "Whether it is a capital of its country." }),
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
  },
  relations: { country: belongsTo("country", "countryCode"), notes: hasMany("note", "cityId") },
  access: { read: allow, create: deny, update: deny, delete: deny },
  // The data never changes, so there is nothing to watch.
  operations: ["get", "list"],
  filterable: ["name", "province", "countryCode", "capital", "lat", "lng"],
  sortable: ["name", "capital", "lat", "lng"],
  page: { size: 20, max: 500 },
  cache: { public: true, maxAge: 3600 },
});
