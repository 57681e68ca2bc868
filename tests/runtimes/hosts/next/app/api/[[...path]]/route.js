// Made from next/api.ts before the build, because Next.js doesn't compile the sources of the workspace.
import { handler } from "../../../dist/api.cjs";

export {
  handler as GET,
  handler as HEAD,
  handler as POST,
  handler as PUT,
  handler as PATCH,
  handler as DELETE,
  handler as OPTIONS,
};
