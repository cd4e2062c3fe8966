import { serviceNow } from "../../api/service-clock.ts";
import { useLoad } from "../../api/use-load.ts";
import { getResources } from "../../api/users.ts";
import { navigate } from "../../app/route.ts";
import { humanize } from "../../parts/numbers.ts";
import { Empty, Loaded } from "../../parts/states.tsx";
import { plottedName } from "../user/plotted-name.ts";
import type { UserTabProps } from "../user/user-tab.ts";
import { DataPlot } from "./data-plot.tsx";

/** A resource that has samples, and the newest of them. */
interface Plottable {
  readonly name: string;
  readonly newestMs: number;
}

async function listPlottable(userId: string, signal: AbortSignal): Promise<readonly Plottable[]> {
  const byProvider = await getResources(userId, signal);
  const newest = new Map<string, number>();
  for (const resources of Object.values(byProvider))
    for (const [resource, { newest_data }] of Object.entries(resources)) {
      const name = plottedName(resource);
      if (name && newest_data) newest.set(name, Math.max(newest.get(name) ?? 0, Date.parse(newest_data)));
    }
  return [...newest].map(([name, newestMs]) => ({ name, newestMs })).sort((a, b) => a.name.localeCompare(b.name));
}

/** The samples of a user: any resource as a plot over any range, with the table behind it. */
export function DataTab({ user, query }: UserTabProps) {
  const { user_id } = user;
  const load = useLoad(`plottable ${user_id}`, (signal) => listPlottable(user_id, signal));
  return (
    <Loaded load={load} lines={8}>
      {(all) => {
        const sought = query.get("resource");
        const chosen = all.find(({ name }) => name === sought) ?? (sought ? undefined : preferred(all));
        const shown = chosen ?? (sought ? { name: sought, newestMs: serviceNow() } : undefined);
        if (!shown)
          return <Empty title="No samples yet">Plots appear once a provider or a phone has sent samples.</Empty>;
        const select = <ResourceSelect userId={user_id} all={all} shown={shown.name} />;
        return <DataPlot key={shown.name} userId={user_id} {...shown} query={query} select={select} />;
      }}
    </Loaded>
  );
}

const preferred = (all: readonly Plottable[]) => all.find(({ name }) => name === "heartrate") ?? all[0];

interface ResourceSelectProps {
  readonly userId: string;
  readonly all: readonly Plottable[];
  readonly shown: string;
}

function ResourceSelect({ userId, all, shown }: ResourceSelectProps) {
  const names = [...new Set([...all.map(({ name }) => name), shown])];
  return (
    <select
      aria-label="Resource"
      value={shown}
      onChange={(event) => navigate(`/users/${userId}/data?resource=${event.currentTarget.value}`)}
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {humanize(name)}
        </option>
      ))}
    </select>
  );
}
