import type { Connector } from "./connector.ts";

/** Each provider that can be connected by OAuth; a connector is loaded where it is used. */
const loaders: Readonly<Record<string, () => Promise<Connector>>> = {
  fitbit: async () => (await import("./fitbit/fitbit.ts")).fitbit,
  garmin: async () => (await import("./garmin/garmin.ts")).garmin,
  google_health: async () => (await import("./google-health/google-health.ts")).googleHealth,
  oura: async () => (await import("./oura/oura.ts")).oura,
  withings: async () => (await import("./withings/withings.ts")).withings,
  whoop_v2: async () => (await import("./whoop/whoop.ts")).whoop,
  strava: async () => (await import("./strava/strava.ts")).strava,
  dexcom_v3: async () => (await import("./dexcom/dexcom.ts")).dexcom,
  polar: async () => (await import("./polar/polar.ts")).polar,
  ultrahuman: async () => (await import("./ultrahuman/ultrahuman.ts")).ultrahuman,
  wahoo: async () => (await import("./wahoo/wahoo.ts")).wahoo,
};

/** The providers that there are connectors for. */
export const connectedProviders: readonly string[] = Object.keys(loaders);

/** The connector of a provider; undefined where there is none. */
export async function findConnector(slug: string): Promise<Connector | undefined> {
  return loaders[slug]?.();
}
