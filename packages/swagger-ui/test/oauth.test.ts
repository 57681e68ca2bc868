import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { START } from "../src/client-bundle.ts";
import { swaggerUi, type SwaggerUiOptions } from "../src/index.ts";

const VIEW = { title: "Shop", openapi: "/api/openapi.json", assets: "/api/-" };
const OAUTH: SwaggerUiOptions = {
  oauth: { clientId: "docs", scopes: ["books:read"], server: "https://id.example.com/tenant" },
};

/** The arguments with which the page's script starts Swagger UI, and its OAuth settings. */
function start(options: SwaggerUiOptions) {
  const html = swaggerUi(options).page(VIEW);
  const data = [...html.matchAll(/ data-(\w+)="([^"]*)"/g)].map(([, name, value = ""]) => [
    name,
    value.replaceAll("&quot;", '"'),
  ]);
  const said: { readonly bundle: unknown[]; readonly oauth: unknown[] } = { bundle: [], oauth: [] };
  runInNewContext(START, {
    URL,
    location: { href: "https://api.example.com/api/docs" },
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    document: {
      documentElement: { classList: { toggle: () => false } },
      getElementById: () => ({ dataset: Object.fromEntries(data) as object }),
    },
    addEventListener: (_name: string, listener: () => void) => listener(),
    SwaggerUIBundle: (settings: object) => {
      said.bundle.push(settings);
      return { initOAuth: (given: unknown) => said.oauth.push(given) };
    },
  });
  return said;
}

test("without 'oauth', offers no sign-in and connects only to its own server", () => {
  const { bundle, oauth } = start({});
  expect([bundle, oauth]).toEqual([[expect.not.objectContaining({ oauth2RedirectUrl: expect.anything() })], []]);
  const { headers, assets } = swaggerUi();
  expect(headers["Content-Security-Policy"]).toContain("connect-src 'self';");
  expect(Object.keys(assets)).not.toContain("oauth2-redirect.html");
});

test("with 'oauth', signs in by PKCE with the redirect page of the API", () => {
  const { bundle, oauth } = start(OAUTH);
  expect(bundle).toEqual([
    expect.objectContaining({ oauth2RedirectUrl: "https://api.example.com/api/-/oauth2-redirect.html" }),
  ]);
  expect(oauth).toEqual([{ clientId: "docs", scopes: ["books:read"], usePkceWithAuthorizationCodeGrant: true }]);
});

test("with 'oauth', may connect to the authorization server, but loads no script from it", () => {
  const { headers, assets } = swaggerUi(OAUTH);
  const policy = headers["Content-Security-Policy"] ?? "";
  expect(policy).toContain("connect-src 'self' https://id.example.com;");
  expect(policy).toContain("script-src 'self';");
  const { body } = assets["oauth2-redirect.html"] as NonNullable<(typeof assets)[string]>;
  const html = Buffer.from(typeof body === "function" ? body() : body).toString();
  // Its script is a file too.
  expect(html).toContain('<script src="oauth2-redirect.js"></script>');
});
