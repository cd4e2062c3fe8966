import { useLayoutEffect, useState } from "preact/hooks";
import { useZone } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { Outlet } from "./outlet.tsx";
import { Palette } from "./palette.tsx";
import { theme, type ZoneChoice, zoneChoice } from "./preferences.ts";
import { route } from "./route.ts";
import type { Session } from "./session.ts";
import { signOut } from "./sign-out.ts";
import { useStore } from "./store.ts";
import { isWithin, views } from "./views.ts";

/** Frame of the views: navigation, choice of the time zone, palette, session. */
export function Shell({ session }: { readonly session: Session }) {
  const [isOpen, setOpen] = useState(false);
  // Before the first frame, so that no key of a quick person is lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Navigation session={session} openPalette={() => setOpen(true)} />
      <main id="content" class="content" tabIndex={-1}>
        <Outlet />
      </main>
      {isOpen ? <Palette close={() => setOpen(false)} /> : null}
    </div>
  );
}

interface NavigationProps {
  readonly session: Session;
  readonly openPalette: () => void;
}

function Navigation({ session, openPalette }: NavigationProps) {
  const { path } = useStore(route);
  return (
    <header class="side">
      <div class="brand">
        <strong>Tributary</strong>
        <span class="quiet">
          {session.team_name} · {session.environment}
        </span>
      </div>
      <button type="button" class="palette-button" onClick={openPalette}>
        Search or jump <kbd>Ctrl K</kbd>
      </button>
      <nav class="views" aria-label="Views">
        {views.map((view) => (
          <Link key={view.place} to={view.place} isCurrent={isWithin(path, view)}>
            {view.name}
          </Link>
        ))}
      </nav>
      <div class="side-foot">
        <ZoneSelect />
        <p class="quiet zone">{useZone()}</p>
        <ThemeSelect />
        <p class="quiet session-line">
          {session.name} · {session.role}
        </p>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </div>
    </header>
  );
}

function ZoneSelect() {
  const choice = useStore(zoneChoice);
  return (
    <label class="choice">
      Times
      <select value={choice} onChange={(event) => zoneChoice.set(event.currentTarget.value as ZoneChoice)}>
        <option value="viewer">my zone</option>
        <option value="user">user's zone</option>
        <option value="utc">UTC</option>
      </select>
    </label>
  );
}

function ThemeSelect() {
  const choice = useStore(theme);
  return (
    <label class="choice">
      Colours
      <select value={choice} onChange={(event) => theme.set(event.currentTarget.value as typeof choice)}>
        <option value="auto">system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
    </label>
  );
}
