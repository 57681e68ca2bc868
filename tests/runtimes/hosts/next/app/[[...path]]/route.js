// The bookstore is at the root.
export { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } from "../api/[[...path]]/route.js";
