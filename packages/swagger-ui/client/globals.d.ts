interface SwaggerUi {
  readonly initOAuth: (client: {
    readonly clientId: string;
    readonly scopes: readonly string[];
    readonly usePkceWithAuthorizationCodeGrant: boolean;
  }) => void;
}

/** Defined by the bundle of Swagger UI, which the page loads first. */
declare function SwaggerUIBundle(options: {
  readonly domNode: Element;
  readonly url: string;
  readonly deepLinking: boolean;
  readonly validatorUrl: string | null;
  readonly displayRequestDuration: boolean;
  readonly docExpansion: "none" | "list" | "full";
  readonly defaultModelsExpandDepth: number;
  readonly filter: boolean;
  readonly plugins: readonly (() => object)[];
  readonly oauth2RedirectUrl?: string;
}): SwaggerUi;
