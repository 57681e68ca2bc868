/** What Swagger UI consists of, by the names that the page refers to. */
export const FILES = {
  "swagger-ui.css": { file: "swagger-ui.css", contentType: "text/css; charset=utf-8" },
  "swagger-ui.js": { file: "swagger-ui-bundle.js", contentType: "text/javascript; charset=utf-8" },
} as const;

/** Where an authorization server sends a browser back to; the page that opened it takes the code from there. */
export const REDIRECT_FILES = {
  "oauth2-redirect.html": { file: "oauth2-redirect.html", contentType: "text/html; charset=utf-8" },
  "oauth2-redirect.js": { file: "oauth2-redirect.js", contentType: "text/javascript; charset=utf-8" },
} as const;
