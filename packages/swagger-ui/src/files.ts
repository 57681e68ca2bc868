/** What Swagger UI consists of, by the names that the page refers to. */
export const FILES = {
  "swagger-ui.css": { file: "swagger-ui.css", contentType: "text/css; charset=utf-8" },
  "swagger-ui.js": { file: "swagger-ui-bundle.js", contentType: "text/javascript; charset=utf-8" },
} as const;
