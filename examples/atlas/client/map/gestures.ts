import { type Size, type View, zoomed, clamp } from "./view.ts";

interface Target {
  readonly element: HTMLElement;
  readonly size: () => Size;
  readonly view: () => View;
  readonly move: (view: View) => void;
  /** Called with the pixel of a click or tap. */
  readonly click: (at: readonly [number, number]) => void;
  readonly showWorld: () => void;
}

const STEP = 80;
const ZOOM = 1.6;
/** Pixels that a pointer can move during a click. */
const SLACK = 4;

/** Lets pointers, the wheel and the keyboard move the map. */
export function listenToGestures(target: Target): { readonly zoom: (factor: number) => void } {
  const { element, size, view, move } = target;
  const pointers = new Map<number, readonly [number, number]>();
  let moved = 0;
  const positionOf = (event: MouseEvent): readonly [number, number] => {
    const { left, top } = element.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const shift = (dx: number, dy: number): void => {
    const { x, y, scale } = view();
    move(clamp({ x: x - dx / scale, y: y - dy / scale, scale }, size()));
  };
  const zoom = (factor: number, at?: readonly [number, number]): void => {
    const { width, height } = size();
    move(zoomed(view(), size(), factor, at ?? [width / 2, height / 2]));
  };

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, positionOf(event));
    if (pointers.size === 1) moved = 0;
  });
  element.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = positionOf(event);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
    if (other === undefined) return shift(now[0] - before[0], now[1] - before[1]);
    const distance = (point: readonly [number, number]): number => Math.hypot(point[0] - other[0], point[1] - other[1]);
    zoom(distance(now) / Math.max(distance(before), 1), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
  });
  const end = (event: PointerEvent): void => {
    const isClick = pointers.delete(event.pointerId) && pointers.size === 0 && moved <= SLACK;
    if (isClick && event.type === "pointerup") target.click(positionOf(event));
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener("dblclick", (event) => zoom(ZOOM, positionOf(event)));
  element.addEventListener(
    "wheel",
    (event) => {
      // The page scrolls, unless the user has clicked the map, pinches, or holds Ctrl.
      if (!event.ctrlKey && document.activeElement !== element) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), positionOf(event));
    },
    { passive: false },
  );
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => shift(STEP, 0),
    ArrowRight: () => shift(-STEP, 0),
    ArrowUp: () => shift(0, STEP),
    ArrowDown: () => shift(0, -STEP),
    "+": () => zoom(ZOOM),
    "=": () => zoom(ZOOM),
    "-": () => zoom(1 / ZOOM),
    "0": target.showWorld,
  };
  element.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  return { zoom };
}
