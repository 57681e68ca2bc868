// Helpers that packages of this repository share. They can change in any release: `@bifocal/core/internal`.
export { createMutex, type Mutex } from "./store/memory/mutex.ts";
export { LinkedList, type Link } from "./util/linked-list.ts";
export {
  checkApi,
  checkChoice,
  checkCallOptions,
  checkRequired,
  type CallOptionKinds,
  kindOf,
} from "./util/check-call.ts";
export { keepText, writtenText } from "./model/row-texts.ts";
export { closestName } from "./util/closest-name.ts";
export { createLru, type Lru } from "./util/lru.ts";
export { allMaybePromises, catchMaybePromise, mapMaybePromise } from "./util/maybe-promise.ts";
