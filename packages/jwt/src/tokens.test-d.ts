import type { Principal } from "@bifocal/core";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { jwt, type JwtClaims, oauth } from "./index.ts";

const place = { issuer: "https://id.example.com", audience: "https://api.example.com" } as const;
const jwksUrl = "https://id.example.com/jwks";
const claims = z.object({ tenant: z.string(), level: z.number().optional() });
declare const principal: Principal | null;

test("`claimsOf` returns the standard claims and those of the schema, with their types", () => {
  const tokens = jwt({ ...place, algorithms: ["ES256"], jwksUrl, claims });
  const known = tokens.claimsOf(principal);
  expectTypeOf(known).not.toBeAny();
  expectTypeOf(known).extract<undefined>().toBeUndefined();
  expectTypeOf(known?.tenant).toEqualTypeOf<string | undefined>();
  expectTypeOf(known?.level).toEqualTypeOf<number | undefined>();
  expectTypeOf(known?.sub).toEqualTypeOf<string | undefined>();
  expectTypeOf(known?.exp).toEqualTypeOf<number | undefined>();
  const others = oauth({ issuer: place.issuer, resource: place.audience, algorithms: ["ES256"], claims });
  expectTypeOf(others.claimsOf(principal)?.tenant).toEqualTypeOf<string | undefined>();
});

test("`claimsOf` returns unknown values for other claims if there is no schema", () => {
  const known = jwt({ ...place, algorithms: ["ES256"], jwksUrl }).claimsOf(principal);
  expectTypeOf(known).toExtend<JwtClaims | undefined>();
  expectTypeOf(known?.["tenant"]).toBeUnknown();
});

test("`principal` and `isActive` receive typed claims", () => {
  jwt({
    ...place,
    algorithms: ["ES256"],
    jwksUrl,
    claims,
    principal: (given) => {
      expectTypeOf(given.tenant).toBeString();
      expectTypeOf(given.iss).toBeString();
      return { id: `${given.tenant}/${given.sub}` };
    },
    isActive: (who, given) => {
      expectTypeOf(who.id).toBeString();
      return given.tenant !== "closed";
    },
  });
  // @ts-expect-error a principal has an id
  jwt({ ...place, algorithms: ["ES256"], jwksUrl, principal: () => ({ roles: [] }) });
  // @ts-expect-error the schema has no such claim of this type
  jwt({ ...place, algorithms: ["ES256"], jwksUrl, claims, principal: ({ tenant }) => ({ id: tenant.toFixed() }) });
});

test("rejects options that lack keys, an audience or algorithms", () => {
  // @ts-expect-error no algorithm
  jwt({ ...place, jwksUrl });
  // @ts-expect-error an empty list of them
  void (() => jwt({ ...place, jwksUrl, algorithms: [] }));
  // @ts-expect-error 'none' is not an algorithm
  void (() => jwt({ ...place, jwksUrl, algorithms: ["none"] }));
  // @ts-expect-error no audience
  void (() => jwt({ issuer: place.issuer, jwksUrl, algorithms: ["ES256"] }));
  // @ts-expect-error neither `keys` nor `jwksUrl`
  void (() => jwt({ ...place, algorithms: ["ES256"] }));
  // @ts-expect-error both `keys` and `jwksUrl`
  void (() => jwt({ ...place, algorithms: ["ES256"], jwksUrl, keys: [{ secret: "" }] }));
  // @ts-expect-error no resource
  void (() => oauth({ issuer: place.issuer, algorithms: ["ES256"] }));
});
