/** The files of Swagger UI, by the names in the page. */
export const FILES = {
  "swagger-ui.css": { file: "swagger-ui.css", contentType: "text/css; charset=utf-8" },
  "swagger-ui.js": { file: "swagger-ui-bundle.js", contentType: "text/javascript; charset=utf-8" },
} as const;

/** The page to which an authorization server redirects. The page that opened it reads the code from it. */
export const REDIRECT_FILES = {
  "oauth2-redirect.html": { file: "oauth2-redirect.html", contentType: "text/html; charset=utf-8" },
  "oauth2-redirect.js": { file: "oauth2-redirect.js", contentType: "text/javascript; charset=utf-8" },
} as const;
