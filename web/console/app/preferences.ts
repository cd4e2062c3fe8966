import { createStore } from "./store.ts";

/** Whose clock times follow: the person who looks, the user whose data it is, or nobody. */
export type ZoneChoice = "viewer" | "user" | "utc";
/** Colours: those of the system, or one of both. */
export type Theme = "auto" | "light" | "dark";

/** Choices of the person who looks. The browser stores these two words and nothing else. */
export const zoneChoice = createStore<ZoneChoice>(read("console-zone", ["viewer", "user", "utc"], "viewer"));
export const theme = createStore<Theme>(read("console-theme", ["auto", "light", "dark"], "auto"));

/** Time zone of the user whose data a view shows, if it shows one. */
export const userZone = createStore<string | undefined>(undefined);

/** The zone of this browser. */
export const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Applies the stored choices and stores later ones. */
export function startPreferences(): void {
  zoneChoice.subscribe(() => localStorage.setItem("console-zone", zoneChoice.get()));
  theme.subscribe(() => localStorage.setItem("console-theme", theme.get()));
  theme.subscribe(applyTheme);
  applyTheme();
}

function applyTheme(): void {
  const chosen = theme.get();
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

function read<Word extends string>(name: string, words: readonly Word[], fallback: Word): Word {
  const stored = localStorage.getItem(name);
  return words.find((word) => word === stored) ?? fallback;
}
