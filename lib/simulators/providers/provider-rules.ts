import { dexcom } from "./dexcom/dexcom.ts";
import { fitbit } from "./fitbit/fitbit.ts";
import type { ProviderRules } from "./frame/provider-desk.ts";
import { garmin } from "./garmin/garmin.ts";
import { google } from "./google/google.ts";
import { oura } from "./oura/oura.ts";
import { polar } from "./polar/polar.ts";
import { strava } from "./strava/strava.ts";
import { ultrahuman } from "./ultrahuman/ultrahuman.ts";
import { wahoo } from "./wahoo/wahoo.ts";
import { whoop } from "./whoop/whoop.ts";
import { withings } from "./withings/withings.ts";

/** The definitions of all simulated providers. */
export const providerRules: readonly ProviderRules[] = [
  oura,
  withings,
  whoop,
  strava,
  dexcom,
  polar,
  google,
  garmin,
  wahoo,
  ultrahuman,
  fitbit,
];
