/** Keys, and where they lead in a list. */
const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Returns a key handler of a list: up, down, Home and End move the focus between elements with `data-item`. */
export function useArrowKeys(): (event: KeyboardEvent) => void {
  return (event) => {
    const move = MOVES[event.key];
    const list = event.currentTarget as HTMLElement;
    if (!move || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    const items = [...list.querySelectorAll<HTMLElement>("[data-item]")];
    const at = items.findIndex((item) => item.contains(document.activeElement));
    const next = items[move(at, items.length)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
}
