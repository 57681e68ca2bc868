// Made from nitro/api.ts before the build, because Nitro doesn't compile the sources of the workspace.
import { handler } from "./dist/api.cjs";

export default ({ req }) => handler(req);
