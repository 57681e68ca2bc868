import type { OAuthClient } from "@bifocal/core/pages";

interface Flow {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly scopes?: Readonly<Record<string, string>>;
}
interface Scheme {
  readonly type: string;
  readonly description?: string;
  readonly openIdConnectUrl?: string;
  readonly flows?: { readonly authorizationCode?: Flow };
}
interface Described {
  readonly components?: { readonly securitySchemes?: Readonly<Record<string, Scheme>> };
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}
interface Metadata {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

/** Adds the OAuth client of the page to each authorization server in an OpenAPI document, as Scalar's extensions. */
export async function withSignIn(
  document: Described,
  { clientId, scopes }: Required<OAuthClient>,
  redirectUri: string,
): Promise<object> {
  const client = { "x-scalar-client-id": clientId, "x-scalar-redirect-uri": redirectUri, "x-usePkce": "SHA-256" };
  const { components = {}, security = [] } = document;
  const { securitySchemes = {} } = components;
  const servers = Object.entries(securitySchemes).filter(([, { type }]) => SERVER_TYPES.has(type));
  // Scalar requests only scopes that the document describes.
  const described = Object.fromEntries(scopes.map((name) => [name, ""]));
  const extended = await Promise.all(
    servers.map(async ([name, { description, flows, openIdConnectUrl }]) => {
      const flow = openIdConnectUrl === undefined ? flows?.authorizationCode : await discoverFlow(openIdConnectUrl);
      const authorizationCode = { ...flow, scopes: { ...described, ...flow?.scopes }, ...client };
      return [name, { type: "oauth2", description, flows: { authorizationCode } }] as const;
    }),
  );
  const selected = Object.fromEntries(servers.map(([name]) => [name, scopes]));
  return {
    ...document,
    // Scalar selects the scopes that the whole document requires.
    security: security.map((requirement) => ({ ...requirement, ...pick(selected, requirement) })),
    components: { ...components, securitySchemes: { ...securitySchemes, ...Object.fromEntries(extended) } },
  };
}

const SERVER_TYPES: ReadonlySet<string> = new Set(["oauth2", "openIdConnect"]);

/** Reads the endpoints of a server. Scalar doesn't use the client of the page with a server that it has to discover. */
async function discoverFlow(url: string): Promise<Flow> {
  const response = await fetch(url);
  const { authorization_endpoint, token_endpoint } = (await response.json()) as Metadata;
  return { authorizationUrl: authorization_endpoint, tokenUrl: token_endpoint };
}

function pick<Value>(values: Readonly<Record<string, Value>>, names: object): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(names, name)));
}
