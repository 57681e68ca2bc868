/** The media type of JSON (RFC 8259 §11). */
export const JSON_TYPE = "application/json";
