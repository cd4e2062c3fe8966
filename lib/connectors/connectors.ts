import type { Connector, EmailConnector, PulledProvider } from "./connector.ts";

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

/** Each provider with a sign-in whose data can be pulled: from its simulator alone, as there is no public interface. */
const emailLoaders: Readonly<Record<string, () => Promise<EmailConnector>>> = {
  freestyle_libre: async () => (await import("./freestyle-libre/freestyle-libre.ts")).freestyleLibre,
};

/** The providers that there are connectors for. */
export const connectedProviders: readonly string[] = Object.keys(loaders);

/** The connector of a provider that is connected by OAuth; undefined where there is none. */
export async function findConnector(slug: string): Promise<Connector | undefined> {
  return loaders[slug]?.();
}

/** The connector of a provider that is connected by e-mail address; undefined where there is none. */
export async function findEmailConnector(slug: string): Promise<EmailConnector | undefined> {
  return emailLoaders[slug]?.();
}

/** The connector of a provider, however it is connected; undefined where its data is not pulled. */
export async function findPulled(slug: string): Promise<PulledProvider | undefined> {
  return (await findConnector(slug)) ?? findEmailConnector(slug);
}
