import type { Range } from "../api/series.ts";

const WHEEL_SPEED = 0.0025;

/** Moves a range by a part of its width. */
export function pan({ from, to }: Range, part: number): Range {
  const shift = (to - from) * part;
  return { from: from + shift, to: to + shift };
}

/** Narrows (factor below 1) or widens a range around a place in it, 0 for its start and 1 for its end. */
export function zoom({ from, to }: Range, factor: number, place = 0.5): Range {
  const fixed = from + (to - from) * place;
  return { from: fixed - (fixed - from) * factor, to: fixed + (to - fixed) * factor };
}

interface GestureTarget {
  readonly get: () => Range;
  readonly set: (range: Range) => void;
}

/**
 * Collects the moves of a frame: the browser may report several before the page draws, and each starts where the one
 * before ended.
 */
function perFrame({ get, set }: GestureTarget, signal: AbortSignal): GestureTarget {
  let moved: Range | undefined;
  const flush = () => {
    if (moved && !signal.aborted) set(moved);
    moved = undefined;
  };
  const add = (range: Range) => {
    if (!moved) requestAnimationFrame(flush);
    moved = range;
  };
  return { get: () => moved ?? get(), set: add };
}

/**
 * Lets pointers move a plot: one pointer pans, two zoom; a horizontal wheel pans, a wheel with Ctrl zooms, so that a plain
 * wheel still scrolls the page.
 * @returns a function that ends it.
 */
export function attachGestures(element: HTMLElement, target: GestureTarget): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const { get, set } = perFrame(target, signal);
  const pointers = new Map<number, number>();
  const width = () => element.clientWidth || 1;
  const place = (x: number) => (x - element.getBoundingClientRect().left) / width();
  const down = (event: PointerEvent) => {
    pointers.set(event.pointerId, event.clientX);
    element.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) set(pan(get(), (before - event.clientX) / width()));
    else if (Math.abs(event.clientX - other) > 4)
      set(zoom(get(), Math.abs(before - other) / Math.abs(event.clientX - other), place((other + event.clientX) / 2)));
    pointers.set(event.pointerId, event.clientX);
  };
  const up = (event: PointerEvent) => void pointers.delete(event.pointerId);
  const wheel = (event: WheelEvent) => {
    const isZoom = event.ctrlKey || event.metaKey;
    if (!isZoom && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
    event.preventDefault();
    if (isZoom) set(zoom(get(), Math.exp(event.deltaY * WHEEL_SPEED), place(event.clientX)));
    else set(pan(get(), event.deltaX / width()));
  };
  const doubled = (event: MouseEvent) => set(zoom(get(), 0.5, place(event.clientX)));
  element.addEventListener("pointerdown", down, { signal });
  element.addEventListener("pointermove", move, { signal });
  for (const name of ["pointerup", "pointercancel"] as const) element.addEventListener(name, up, { signal });
  element.addEventListener("wheel", wheel, { signal, passive: false });
  element.addEventListener("dblclick", doubled, { signal });
  return () => ended.abort();
}
