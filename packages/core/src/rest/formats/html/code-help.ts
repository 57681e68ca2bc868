import type { ErrorCode } from "../../../errors/codes.ts";

interface CodeHelp {
  readonly when: string;
  readonly solution: string;
}

/** When each error occurs, and what the client can do. */
export const CODE_HELP: Readonly<Record<ErrorCode, CodeHelp>> = {
  BAD_REQUEST: {
    when: "The request is malformed: an unknown parameter, field or operator, a value of the wrong type, or a cursor of another list.",
    solution: "Read `errors`. Each entry names the place and the valid options.",
  },
  UNAUTHENTICATED: {
    when: "The credential is missing, invalid or expired.",
    solution: "Send a valid credential. The header `WWW-Authenticate` names the schemes.",
  },
  FORBIDDEN: {
    when: "The server knows the caller, but its rules don't allow this operation or field.",
    solution: "Request less, or use another credential.",
  },
  NOT_FOUND: {
    when: "The path or the row doesn't exist, or the caller can't see the row.",
    solution: "Check the path and the id. If the row should be visible, check who is signed in.",
  },
  METHOD_NOT_ALLOWED: {
    when: "The path exists, but not with this method.",
    solution: "The header `Allow` lists the methods.",
  },
  NOT_ACCEPTABLE: {
    when: "The response isn't available in the requested format.",
    solution: "Choose a format that `detail` lists, and set the header `Accept`.",
  },
  CONFLICT: {
    when: "A unique value is already in use, other rows still reference this one, or a JSON Patch doesn't apply.",
    solution: "Read `errors`, which names the fields. Change them, or read the row again.",
  },
  PRECONDITION_FAILED: {
    when: "The row has changed since the client read its `ETag`.",
    solution: "Read the row again, apply the change to it, and send the new `ETag` in `If-Match`.",
  },
  PAYLOAD_TOO_LARGE: {
    when: "The body is larger than the server accepts.",
    solution: "Send several smaller requests.",
  },
  URI_TOO_LONG: {
    when: "The query string is longer than the server accepts.",
    solution: "Send the same parameters in the body of a `QUERY` request, or use GraphQL with `POST`.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: "The body has a type that this path doesn't accept.",
    solution: "The headers `Accept-Post`, `Accept-Patch` and `Accept-Query` list the types. Set `Content-Type`.",
  },
  VALIDATION_FAILED: {
    when: "The input is well-formed, but it violates the schema or references a missing row.",
    solution: "Read `errors`, which lists every issue with its path.",
  },
  PRECONDITION_REQUIRED: {
    when: "Changes of this resource need the version of the row.",
    solution: "Read the row, and send its `ETag` in `If-Match`.",
  },
  RATE_LIMITED: {
    when: "The client has sent too many requests, or too expensive ones, or has too many connections.",
    solution: "Wait for the number of seconds in `Retry-After`.",
  },
  HEADERS_TOO_LARGE: {
    when: "The headers of the request are larger than the server accepts.",
    solution: "Send fewer or shorter headers, such as cookies.",
  },
  INTERNAL: {
    when: "The server failed unexpectedly. The cause is only in its log.",
    solution: "Report the `requestId`. The log has the cause under this id.",
  },
  UNAVAILABLE: {
    when: "The database can't be reached, or the server is overloaded.",
    solution: "Wait for the number of seconds in `Retry-After`, and try again.",
  },
  TIMEOUT: {
    when: "The operation took longer than the server allows.",
    solution: "Request fewer rows or relations, or filter by an indexed field.",
  },
};
