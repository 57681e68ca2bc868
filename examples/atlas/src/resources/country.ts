import { allow, defineResource, deny, hasMany, manyToMany } from "@bifocal/core";
import { z } from "zod";

export const country = defineResource("country", {
  key: "code",
  fields: {
    code: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .meta({ description: "ISO 3166-1 alpha-2." }),
    name: z.string(),
    officialName: z.string(),
    region: z.enum(["Africa", "Americas", "Antarctic", "Asia", "Europe", "Oceania"]).meta({ id: "Region" }),
    subregion: z.string().nullable(),
    capitals: z.array(z.string()),
    languages: z.array(z.string()),
    currencies: z.array(z.object({ code: z.string(), name: z.string(), symbol: z.string() })),
    area: z.number().nonnegative().nullable().meta({ description: "In square kilometers." }),
    landlocked: z.boolean(),
    flag: z.string().meta({ description: "As an emoji." }),
    location: z.object({ lat: z.number(), lng: z.number() }),
  },
  relations: {
    cities: hasMany("city", "countryCode"),
    neighbors: manyToMany("country", { through: "border", from: "countryCode", to: "neighborCode" }),
  },
  access: { read: allow, create: deny, update: deny, delete: deny },
  // The data never changes, so there is nothing to watch.
  operations: ["get", "list"],
  filterable: ["code", "name", "region", "subregion", "languages", "area", "landlocked"],
  sortable: ["code", "name", "region", "area"],
  page: { size: 50, max: 250 },
  cache: { public: true, maxAge: 3600 },
});
