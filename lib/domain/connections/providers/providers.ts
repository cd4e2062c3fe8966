/** Authentication type of a provider. */
export type ProviderAuthType = "oauth" | "password" | "email" | "sdk";

/** Kind of a provider in the link flow: a cloud service, a Bluetooth device or an app on the phone. */
type ProviderSourceType = "provider" | "ble" | "app";

/** Third party whose data a user can connect. */
export interface Provider {
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  readonly description: string;
  /** Null if no authentication is documented, or none is needed (manual entry). */
  readonly authType: ProviderAuthType | null;
  readonly sourceType: ProviderSourceType;
}

const connectedBy =
  (authType: ProviderAuthType | null, sourceType: ProviderSourceType) =>
  (slug: string, name: string, description: string): Provider => ({ slug, name, description, authType, sourceType });

const oauth = connectedBy("oauth", "provider");
const password = connectedBy("password", "provider");
const email = connectedBy("email", "provider");
const phoneApp = connectedBy("sdk", "app");
const bluetooth = connectedBy("sdk", "ble");
const unlinked = connectedBy(null, "provider");

/** Catalogue of providers: every slug of the published API, and our own. Clients must expect further ones. */
export const providers: readonly Provider[] = [
  oauth("oura", "Oura", "Smart ring: sleep, activity and readiness"),
  oauth("fitbit", "Fitbit", "Activity trackers and watches"),
  oauth("garmin", "Garmin", "Sport and fitness watches"),
  password("whoop", "WHOOP", "Recovery and strain band, connected by password"),
  oauth("strava", "Strava", "Running and cycling workouts"),
  password("renpho", "Renpho", "Body composition scales"),
  password("peloton", "Peloton", "Indoor bikes and treadmills"),
  oauth("wahoo", "Wahoo", "Cycling computers and trainers"),
  password("zwift", "Zwift", "Virtual cycling and running"),
  email("freestyle_libre", "Freestyle Libre", "Continuous glucose monitor, shared with a practice"),
  password("abbott_libreview", "Abbott LibreView", "Continuous glucose monitor, by LibreView account"),
  password("tandem_source", "Tandem Source", "Insulin pumps"),
  bluetooth("freestyle_libre_ble", "Freestyle Libre (phone)", "Continuous glucose monitor, read by phone"),
  password("eight_sleep", "Eight Sleep", "Smart mattress"),
  oauth("withings", "Withings", "Scales, watches and blood pressure monitors"),
  phoneApp("apple_health_kit", "Apple HealthKit", "Health data on iPhone and Apple Watch"),
  unlinked("manual", "Manual", "Values entered by hand"),
  oauth("ihealth", "iHealth", "Blood pressure monitors, scales and glucometers"),
  oauth("google_fit", "Google Fit", "Activity data of a Google account"),
  password("beurer_api", "Beurer", "Blood pressure monitors"),
  bluetooth("beurer_ble", "Beurer (Bluetooth)", "Blood pressure monitors, read by phone"),
  oauth("omron", "Omron", "Blood pressure monitors and scales"),
  bluetooth("omron_ble", "Omron (Bluetooth)", "Blood pressure monitors and scales, read by phone"),
  bluetooth("onetouch_ble", "OneTouch (Bluetooth)", "Glucometers, read by phone"),
  bluetooth("accuchek_ble", "Accu-Chek (Bluetooth)", "Glucometers, read by phone"),
  bluetooth("contour_ble", "Contour (Bluetooth)", "Glucometers, read by phone"),
  password("dexcom", "Dexcom (G6 and older)", "Continuous glucose monitors, connected by password"),
  oauth("dexcom_v3", "Dexcom", "Continuous glucose monitors"),
  password("hammerhead", "Hammerhead", "Cycling computers"),
  password("my_fitness_pal", "MyFitnessPal (diary key)", "Nutrition diary, by sharing key"),
  phoneApp("health_connect", "Health Connect", "Health data on Android"),
  phoneApp("samsung_health", "Samsung Health", "Health data on Samsung phones and watches"),
  oauth("polar", "Polar", "Sport watches and heart rate sensors"),
  oauth("cronometer", "Cronometer", "Nutrition diary"),
  password("kardia", "Kardia", "Personal electrocardiograms"),
  oauth("whoop_v2", "WHOOP", "Recovery and strain band"),
  oauth("ultrahuman", "Ultrahuman", "Smart ring and glucose monitor"),
  oauth("my_fitness_pal_v2", "MyFitnessPal", "Nutrition diary"),
  oauth("map_my_fitness", "MapMyFitness", "Running and cycling workouts"),
  oauth("runkeeper", "Runkeeper", "Running workouts"),
  oauth("google_health", "Google Health", "Health data of a Google account"),
  oauth("concept2", "Concept2", "Rowing, skiing and cycling ergometers"),
  oauth("suunto", "Suunto", "Sport watches"),
  oauth("hammerhead_v2", "Hammerhead", "Cycling computers"),
  oauth("ride_with_gps", "Ride with GPS", "Cycling and running workouts"),
  oauth("tidepool", "Tidepool", "Glucose monitors, meters and insulin pumps"),
  oauth("intervals_icu", "Intervals.icu", "Training diary: workouts and daily wellness"),
];

const bySlug = new Map(providers.map((provider) => [provider.slug, provider]));

/** Finds a provider by slug. */
export function findProvider(slug: string): Provider | undefined {
  return bySlug.get(slug);
}

/** Stable number of a provider in event bodies, 0 if unknown. New providers go to the end of the list only. */
export function sourceId(slug: string): number {
  return providers.findIndex((provider) => provider.slug === slug) + 1;
}
