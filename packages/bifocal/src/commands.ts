import type { Command } from "./command.ts";
import { access } from "./commands/access.ts";
import { dbApply } from "./commands/db-apply.ts";
import { dbCheck } from "./commands/db-check.ts";
import { dbPlan } from "./commands/db-plan.ts";
import { keysCreate } from "./commands/keys-create.ts";
import { keysList } from "./commands/keys-list.ts";
import { keysRevoke } from "./commands/keys-revoke.ts";
import { keysRotate } from "./commands/keys-rotate.ts";
import { openapi } from "./commands/openapi.ts";
import { routes } from "./commands/routes.ts";
import { sdl } from "./commands/sdl.ts";
import { translate } from "./commands/translate.ts";

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  dbPlan,
  dbApply,
  dbCheck,
  keysCreate,
  keysList,
  keysRevoke,
  keysRotate,
  access,
  routes,
  translate,
  sdl,
  openapi,
];
