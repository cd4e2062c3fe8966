import type { Connector, EmailConnector, PulledProvider } from "./connector.ts";

/** Connectors that use OAuth, by slug. Each module loads on first use. */
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
  ride_with_gps: async () => (await import("./ride-with-gps/ride-with-gps.ts")).rideWithGps,
  tidepool: async () => (await import("./tidepool/tidepool.ts")).tidepool,
  omron: async () => (await import("./omron/omron.ts")).omron,
  intervals_icu: async () => (await import("./intervals-icu/intervals-icu.ts")).intervalsIcu,
  map_my_fitness: async () => (await import("./map-my-fitness/map-my-fitness.ts")).mapMyFitness,
  wahoo: async () => (await import("./wahoo/wahoo.ts")).wahoo,
  concept2: async () => (await import("./concept2/concept2.ts")).concept2,
  suunto: async () => (await import("./suunto/suunto.ts")).suunto,
  hammerhead_v2: async () => (await import("./hammerhead/hammerhead.ts")).hammerhead,
  ihealth: async () => (await import("./ihealth/ihealth.ts")).ihealth,
  cronometer: async () => (await import("./cronometer/cronometer.ts")).cronometer,
};

/** Connectors that use an e-mail sign-in. Only simulators exist for them: the providers publish no API. */
const emailLoaders: Readonly<Record<string, () => Promise<EmailConnector>>> = {
  freestyle_libre: async () => (await import("./freestyle-libre/freestyle-libre.ts")).freestyleLibre,
};

/** Slugs of the providers with an OAuth connector. */
export const connectorSlugs: readonly string[] = Object.keys(loaders);

/** Returns the OAuth connector of a provider, or undefined. */
export async function findConnector(slug: string): Promise<Connector | undefined> {
  return loaders[slug]?.();
}

/** Returns the e-mail connector of a provider, or undefined. */
export async function findEmailConnector(slug: string): Promise<EmailConnector | undefined> {
  return emailLoaders[slug]?.();
}

/** Returns the connector of a provider, or undefined if its data is not pulled. */
export async function findPulledProvider(slug: string): Promise<PulledProvider | undefined> {
  return (await findConnector(slug)) ?? findEmailConnector(slug);
}
