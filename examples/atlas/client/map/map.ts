import { byId } from "../elements.ts";
import { listenToGestures } from "./gestures.ts";
import { createMarks, type Mark } from "./marks.ts";
import { type Bounds, toLat, toLng } from "./mercator.ts";
import { createPainter } from "./painter.ts";
import { noPoints, type Points } from "./points.ts";
import { boundsOfView, clamp, digitsOf, type Size, type View, viewOf, worldView } from "./view.ts";

export interface MapListener {
  /** Called when the user moves the map. */
  readonly moved: () => void;
  readonly clicked: (lat: number, lng: number, degreesPerPixel: number) => void;
}

export interface AtlasMap {
  readonly bounds: () => Bounds;
  /** Digits of a coordinate that the current view needs. */
  readonly digits: () => number;
  /** Shows an area, without calling `moved`. */
  readonly fit: (bounds: Bounds) => void;
  readonly setAll: (points: Points) => void;
  /** Emphasizes points. Undefined shows all points equally. */
  readonly setMatching: (points: Points | undefined) => void;
  readonly setMarks: (kind: Mark["kind"], marks: readonly Mark[]) => void;
  readonly pulse: (key: string) => void;
}

export function createMap(listener: MapListener): AtlasMap {
  const element = byId("map");
  const painter = createPainter(byId<HTMLCanvasElement>("points"));
  const marks = createMarks();
  const sizeOf = (): Size => ({ width: element.clientWidth, height: element.clientHeight });
  let size = sizeOf();
  let view = worldView(size);
  let all = noPoints();
  let matching: Points | undefined;
  let isPainting = false;

  function paint(): void {
    if (isPainting) return;
    isPainting = true;
    requestAnimationFrame(() => {
      isPainting = false;
      painter.paint(view, size, all, matching);
      marks.move(view, size);
    });
  }
  function moveTo(next: View): void {
    view = next;
    paint();
  }
  function userMove(next: View): void {
    moveTo(next);
    listener.moved();
  }
  const showWorld = (): void => userMove(worldView(size));
  const { zoom } = listenToGestures({
    element,
    size: () => size,
    view: () => view,
    move: userMove,
    showWorld,
    click([left, top]) {
      const [x, y] = [view.x + (left - size.width / 2) / view.scale, view.y + (top - size.height / 2) / view.scale];
      listener.clicked(toLat(y), toLng(x), 360 / view.scale);
    },
  });
  byId("zoom-in").addEventListener("click", () => zoom(2));
  byId("zoom-out").addEventListener("click", () => zoom(0.5));
  byId("world").addEventListener("click", showWorld);
  new ResizeObserver(() => {
    size = sizeOf();
    moveTo(clamp(view, size));
  }).observe(element);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    painter.recolor();
    paint();
  });
  return {
    bounds: () => boundsOfView(view, size),
    digits: () => digitsOf(view),
    fit: (bounds) => moveTo(viewOf(bounds, size)),
    setAll(points) {
      all = points;
      paint();
    },
    setMatching(points) {
      matching = points;
      paint();
    },
    setMarks(kind, list) {
      marks.set(kind, list);
      paint();
    },
    pulse: (key) => marks.pulse(key),
  };
}
