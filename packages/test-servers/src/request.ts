// Requests without a server, for tests of every package.
export { type Answered, request, send, textOf } from "../../core/test/request.ts";
