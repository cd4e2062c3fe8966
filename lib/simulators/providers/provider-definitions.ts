import type { ProviderDefinition } from "./base/simulated-provider.ts";
import { dexcomDefinition } from "./dexcom/dexcom.ts";
import { fitbitDefinition } from "./fitbit/fitbit.ts";
import { garminDefinition } from "./garmin/garmin.ts";
import { googleDefinition } from "./google/google.ts";
import { intervalsIcuDefinition } from "./intervals-icu/intervals-icu.ts";
import { mapMyFitnessDefinition } from "./map-my-fitness/map-my-fitness.ts";
import { omronDefinition } from "./omron/omron.ts";
import { ouraDefinition } from "./oura/oura.ts";
import { polarDefinition } from "./polar/polar.ts";
import { rideWithGpsDefinition } from "./ride-with-gps/ride-with-gps.ts";
import { stravaDefinition } from "./strava/strava.ts";
import { tidepoolDefinition } from "./tidepool/tidepool.ts";
import { ultrahumanDefinition } from "./ultrahuman/ultrahuman.ts";
import { wahooDefinition } from "./wahoo/wahoo.ts";
import { whoopDefinition } from "./whoop/whoop.ts";
import { withingsDefinition } from "./withings/withings.ts";

/** The definitions of all simulated providers. */
export const providerDefinitions: readonly ProviderDefinition[] = [
  ouraDefinition,
  withingsDefinition,
  whoopDefinition,
  stravaDefinition,
  dexcomDefinition,
  polarDefinition,
  googleDefinition,
  garminDefinition,
  wahooDefinition,
  ultrahumanDefinition,
  fitbitDefinition,
  rideWithGpsDefinition,
  tidepoolDefinition,
  intervalsIcuDefinition,
  mapMyFitnessDefinition,
  omronDefinition,
];
