// Made from next-pages/api.ts before the build, because Next.js doesn't compile the sources of the workspace.
import { handler } from "../../dist/api.cjs";

export const config = { api: { bodyParser: false, externalResolver: true, responseLimit: false } };
export default handler;
