import type { OAuthClient } from "../src/page.ts";

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
    ...(redirect === undefined ? {} : { oauth2RedirectUrl: new URL(redirect, location.href).href }),
  });
  if (oauth === undefined) return;
  const { clientId, scopes } = JSON.parse(oauth) as Required<OAuthClient>;
  ui.initOAuth({ clientId, scopes, usePkceWithAuthorizationCodeGrant: true });
});
