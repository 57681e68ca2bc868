import { guarded } from "./guarded.ts";
import { drawChildren, drawLinks } from "./draw-parts.ts";
import { linkOf } from "./link-of.ts";
import type { RequestKind } from "./request-kind.ts";

/** REST writes of single rows. */
export const restWrites: readonly RequestKind[] = [
  {
    name: "POST /rows",
    valid: 0.9,
    succeeds: 0.5,
    weight: 2,
    build: ({ caller, input }) => [{ method: "POST", url: "/rows", caller, body: input("create") }],
  },
  {
    name: "POST /rows with notes",
    valid: 0.5,
    succeeds: 0.3,
    isIn: ({ hasCreates }) => hasCreates,
    build: ({ caller, input, picks }) => {
      const { boxId, ...others } = input("create");
      const { id: _, boxId: __, code: ___, ...box } = input("create");
      const body = { ...others, notes: [{ text: "a" }, { text: "b" }] };
      // If clients choose keys, the box would need a key.
      return [
        {
          method: "POST",
          url: "/rows",
          caller,
          body: picks.chance(8) || "id" in others ? { ...body, boxId } : { ...body, box },
        },
      ];
    },
  },
  {
    name: "POST /rows/{id}/notes",
    valid: 0.9,
    succeeds: 0.3,
    isIn: ({ referencesGroup }) => !referencesGroup,
    build: ({ caller, allowed, anyId, picks }) => {
      const id = picks.chance(9) ? (allowed("noteWrite")?.id ?? anyId()) : anyId();
      return [{ method: "POST", url: `/rows/${id}/notes`, caller, body: { text: "c" } }];
    },
  },
  {
    name: "PUT /rows/{id}",
    valid: 0.7,
    succeeds: 0.3,
    build: (situation) => {
      const { caller, allowed, anyId, input, picks } = situation;
      const row = picks.chance(9) ? allowed("update") : undefined;
      const id = row?.id ?? anyId();
      return guarded(situation, id, { method: "PUT", url: `/rows/${id}`, caller, body: input("replace", row ?? {}) });
    },
  },
  {
    name: "PUT that makes a row",
    valid: 0.8,
    succeeds: 0.4,
    isIn: ({ hasClientKeys }) => hasClientKeys,
    build: ({ caller, anyId, input, freeId, picks, plan }) => {
      const { id: _, ...body } = { ...input("replace"), ...input("create") };
      const id = picks.chance(8) ? freeId() : anyId();
      const isGuarded = plan.requirePrecondition || picks.chance(5);
      const headers = isGuarded ? { "if-none-match": "*" } : {};
      return [{ method: "PUT", url: `/rows/${id}`, caller, body, headers }];
    },
  },
  {
    name: "PATCH /rows/{id}",
    valid: 0.7,
    succeeds: 0.3,
    weight: 2,
    build: (situation) => {
      const { caller, allowed, anyId, changes, picks } = situation;
      const row = picks.chance(9) ? allowed("update") : undefined;
      const id = row?.id ?? anyId();
      const headers = { "content-type": picks.one("application/json", "application/merge-patch+json") };
      const url = `/rows/${id}${picks.chance(2) ? "?include=items,box" : ""}`;
      return guarded(situation, id, { method: "PATCH", url, caller, body: changes(row ?? {}), headers });
    },
  },
  {
    name: "PATCH with links",
    valid: 0.9,
    succeeds: 0.15,
    weight: 2,
    isIn: ({ hasLinks }) => hasLinks,
    build: (situation) => {
      const { caller, allowed, anyId } = situation;
      const id = allowed("update")?.id ?? anyId();
      return guarded(situation, id, {
        method: "PATCH",
        url: `/rows/${id}`,
        caller,
        body: { tags: drawLinks(situation) },
      });
    },
  },
  {
    name: "PATCH with notes and items",
    valid: 0.7,
    succeeds: 0.15,
    weight: 2,
    isIn: ({ hasCreates }) => hasCreates,
    build: (situation) => {
      const { caller, allowed, anyId } = situation;
      const id = allowed("update")?.id ?? anyId();
      const url = `/rows/${id}?include=notes`;
      return guarded(situation, id, { method: "PATCH", url, caller, body: drawChildren(situation, id) });
    },
  },
  {
    name: "POST /rows with tags",
    valid: 0.9,
    succeeds: 0.15,
    isIn: ({ hasLinks }) => hasLinks,
    build: ({ caller, input, tags, picks }) => {
      const body = { ...input("create"), tags: [picks.of(tags)?.id ?? picks.number(8)] };
      return [{ method: "POST", url: "/rows", caller, body }];
    },
  },
  {
    name: "PATCH with a JSON Patch",
    valid: 0.9,
    succeeds: 0.3,
    weight: 2,
    build: (situation) => {
      const { caller, allowed, anyId, changes, picks } = situation;
      const row = picks.chance(9) ? allowed("update") : undefined;
      const id = row?.id ?? anyId();
      const tested = picks.one("color", "size", "price");
      const test = { op: "test", path: `/${tested}`, value: row?.[tested] ?? 0 };
      const replace = Object.entries(changes(row ?? {})).map(([name, value]) => ({
        op: "replace",
        path: `/${name}`,
        value,
      }));
      const body = picks.chance(4) ? [test, ...replace] : replace;
      const headers = { "content-type": "application/json-patch+json" };
      return guarded(situation, id, { method: "PATCH", url: `/rows/${id}`, caller, body, headers });
    },
  },
  {
    name: "PATCH of a key",
    valid: 0.9,
    succeeds: 0.15,
    isIn: ({ hasClientKeys }) => hasClientKeys,
    build: (situation) => {
      const { caller, free, anyId, freeId, picks } = situation;
      const id = picks.chance(7) ? (free()?.id ?? anyId()) : anyId();
      const body = { id: picks.chance(8) ? freeId() : anyId() };
      return guarded(situation, id, { method: "PATCH", url: `/rows/${id}`, caller, body });
    },
  },
  {
    name: "DELETE /rows/{id}",
    valid: 0.9,
    succeeds: 0.3,
    build: (situation) => {
      const { caller, free, anyId, picks } = situation;
      const id = picks.chance(9) ? (free()?.id ?? anyId()) : anyId();
      return guarded(situation, id, { method: "DELETE", url: `/rows/${id}`, caller });
    },
  },
  {
    name: "DELETE /notes/{id}",
    valid: 0.9,
    succeeds: 0.2,
    build: ({ caller, notes, picks, view, state }) => {
      const may = notes.filter(({ rowId }) => {
        const row = state.rows.find(({ id }) => id === rowId);
        return row !== undefined && view.may("noteWrite", state, row);
      });
      const note = picks.chance(8) ? (picks.of(may) ?? picks.of(notes)) : undefined;
      return [{ method: "DELETE", url: `/notes/${note?.id ?? picks.number(5)}`, caller }];
    },
  },
  {
    name: "link and unlink by PUT and DELETE",
    valid: 0.9,
    succeeds: 0.2,
    weight: 2,
    isIn: ({ hasLinks }) => hasLinks,
    build: (situation) => {
      const { caller, picks } = situation;
      const isLinking = picks.chance(6);
      const [row, tag] = linkOf(situation, isLinking);
      const url = picks.chance(5) ? `/rows/${row}/tags/${tag}` : `/tags/${tag}/rows/${row}`;
      return [{ method: isLinking ? "PUT" : "DELETE", url, caller }];
    },
  },
  {
    name: "POST of an action on a row",
    valid: 0.9,
    succeeds: 0.4,
    build: ({ caller, allowed, anyId, picks }) => {
      const id = picks.chance(9) ? (allowed("act")?.id ?? anyId()) : anyId();
      return [{ method: "POST", url: `/rows/${id}/mark`, caller, body: { size: picks.number(3) } }];
    },
  },
  {
    name: "POST of an action on the collection",
    valid: 0.9,
    succeeds: 0.9,
    build: ({ caller, picks }) => [{ method: "POST", url: "/rows/echo", caller, body: { size: picks.number(3) } }],
  },
];
