import type { OAuthClient } from "@bifocal/core/pages";
import { followColorScheme } from "./follow-color-scheme.ts";
import { requiredLocks } from "./required-locks.ts";

followColorScheme();

addEventListener("DOMContentLoaded", () => {
  const place = document.getElementById("reference") as HTMLElement;
  const { url = "", oauth, redirect } = place.dataset;
  const ui = SwaggerUIBundle({
    domNode: place,
    url,
    deepLinking: true,
    // The validator would send the document to another host.
    validatorUrl: null,
    displayRequestDuration: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    filter: true,
    plugins: [requiredLocks],
    ...(redirect === undefined ? {} : { oauth2RedirectUrl: new URL(redirect, location.href).href }),
  });
  if (oauth === undefined) return;
  const { clientId, scopes } = JSON.parse(oauth) as Required<OAuthClient>;
  ui.initOAuth({ clientId, scopes, usePkceWithAuthorizationCodeGrant: true });
});
