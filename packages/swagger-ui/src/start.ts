/** Starts Swagger UI on the page; asks nobody else to validate the document. */
export const START = `"use strict";
addEventListener("DOMContentLoaded", () => {
  const place = document.getElementById("reference");
  SwaggerUIBundle({ domNode: place, url: place.dataset.url, deepLinking: true, validatorUrl: null, displayRequestDuration: true });
});
`;
