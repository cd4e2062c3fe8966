import { serviceNow } from "../api/service-clock.ts";
import { userZone, viewerZone, zoneChoice } from "../app/preferences.ts";
import { useStore } from "../app/store.ts";
import { formatAge, formatInstant } from "./time.ts";

/** The zone in which a view shows times: by the choice of the person who looks. */
export function useZone(): string {
  const choice = useStore(zoneChoice);
  const own = useStore(userZone);
  if (choice === "utc") return "UTC";
  return choice === "user" ? (own ?? viewerZone) : viewerZone;
}

interface InstantProps {
  readonly at: string | number | null | undefined;
  /** Whether to show how long ago it is instead of the clock time. */
  readonly isAge?: boolean;
}

/** An instant in the chosen zone. The tooltip has it in the zones of the viewer, of the user and in UTC. */
export function Instant({ at, isAge = false }: InstantProps) {
  const zone = useZone();
  const own = useStore(userZone);
  const ms = typeof at === "string" ? Date.parse(at) : at;
  if (ms === null || ms === undefined || Number.isNaN(ms)) return <span class="quiet">–</span>;
  const zones = [...new Set([viewerZone, own ?? viewerZone, "UTC"])];
  const title = zones.map((one) => `${formatInstant(ms, one)} ${one}`).join("\n");
  return (
    <time dateTime={new Date(ms).toISOString()} title={title}>
      {isAge ? formatAge(ms, serviceNow()) : unbroken(formatInstant(ms, zone))}
    </time>
  );
}

/** A date does not break at its hyphens where a narrow column breaks the line. */
const unbroken = (text: string) => {
  const [date, clock] = text.split(" ");
  return (
    <>
      <span class="unbroken">{date}</span> <span class="unbroken">{clock}</span>
    </>
  );
};
