/** The script that starts Swagger UI. It disables the external validator. */
export const START = `"use strict";
addEventListener("DOMContentLoaded", () => {
  const place = document.getElementById("reference");
  const { url, oauth, redirect } = place.dataset;
  const ui = SwaggerUIBundle({
    domNode: place, url, deepLinking: true, validatorUrl: null, displayRequestDuration: true,
    ...(redirect === undefined ? {} : { oauth2RedirectUrl: new URL(redirect, location.href).href }),
  });
  if (oauth !== undefined) ui.initOAuth({ ...JSON.parse(oauth), usePkceWithAuthorizationCodeGrant: true });
});
`;
