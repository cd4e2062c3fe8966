import { dexcom } from "./dexcom/dexcom.ts";
import type { ProviderRules } from "./frame/provider-desk.ts";
import { oura } from "./oura/oura.ts";
import { polar } from "./polar/polar.ts";
import { strava } from "./strava/strava.ts";
import { whoop } from "./whoop/whoop.ts";
import { withings } from "./withings/withings.ts";

/** Every simulated provider. */
export const providerRules: readonly ProviderRules[] = [oura, withings, whoop, strava, dexcom, polar];
