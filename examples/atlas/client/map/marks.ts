import { byId, create } from "../elements.ts";
import { toX, toY } from "./mercator.ts";
import type { Size, View } from "./view.ts";

/** A row on the map. */
export interface Mark {
  readonly key: string;
  readonly lat: number;
  readonly lng: number;
  readonly label: string;
  readonly kind: "row" | "note" | "chosen";
}

interface Shown extends Mark {
  readonly element: HTMLElement;
  readonly x: number;
  readonly y: number;
}

const CHARACTER = 6.6;
const LINE = 18;

/** Shows rows and notes as elements above the canvas. Assistive technology reads the same rows in the responses and the list of notes. */
export function createMarks() {
  const place = byId("marks");
  const shown = new Map<string, Shown>();
  return {
    /** Replaces the marks of a kind. */
    set(kind: Mark["kind"], marks: readonly Mark[]): void {
      const keys = new Set(marks.map(({ key }) => key));
      for (const [key, mark] of shown) {
        if (mark.kind !== kind || keys.has(key)) continue;
        mark.element.remove();
        shown.delete(key);
      }
      for (const mark of marks) {
        if (shown.has(mark.key)) continue;
        const element = create("div", "", `mark ${mark.kind}`);
        element.append(create("span", mark.label));
        place.append(element);
        shown.set(mark.key, { ...mark, element, x: toX(mark.lng), y: toY(mark.lat) });
      }
    },
    pulse(key: string): void {
      const element = shown.get(key)?.element;
      element?.classList.remove("pulse");
      // Reading the layout restarts the animation.
      void element?.offsetWidth;
      element?.classList.add("pulse");
    },
    /** Moves all marks to their places, and hides labels that would cover others. */
    move({ x, y, scale }: View, { width, height }: Size): void {
      const taken: (readonly [number, number, number])[] = [];
      for (const { element, label, kind, x: ownX, y: ownY } of shown.values()) {
        const [left, top] = [(ownX - x) * scale + width / 2, (ownY - y) * scale + height / 2];
        const isVisible = left > -20 && top > -20 && left < width + 20 && top < height + 20;
        element.hidden = !isVisible;
        if (!isVisible) continue;
        element.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
        if (kind === "note") continue;
        const length = label.length * CHARACTER + 16;
        const isFree =
          left + length < width &&
          taken.every(
            ([otherLeft, otherTop, otherLength]) =>
              Math.abs(top - otherTop) > LINE || left > otherLeft + otherLength || left + length < otherLeft,
          );
        element.classList.toggle("bare", !isFree);
        if (isFree) taken.push([left, top, length]);
      }
    },
  };
}
