import type { ProviderDefinition } from "./base/simulated-provider.ts";
import { concept2Definition } from "./concept2/concept2.ts";
import { cronometerDefinition } from "./cronometer/cronometer.ts";
import { dexcomDefinition } from "./dexcom/dexcom.ts";
import { fitbitDefinition } from "./fitbit/fitbit.ts";
import { garminDefinition } from "./garmin/garmin.ts";
import { googleDefinition } from "./google/google.ts";
import { hammerheadDefinition } from "./hammerhead/hammerhead.ts";
import { ihealthDefinition } from "./ihealth/ihealth.ts";
import { intervalsIcuDefinition } from "./intervals-icu/intervals-icu.ts";
import { mapMyFitnessDefinition } from "./map-my-fitness/map-my-fitness.ts";
import { omronDefinition } from "./omron/omron.ts";
import { ouraDefinition } from "./oura/oura.ts";
import { polarDefinition } from "./polar/polar.ts";
import { rideWithGpsDefinition } from "./ride-with-gps/ride-with-gps.ts";
import { stravaDefinition } from "./strava/strava.ts";
import { suuntoDefinition } from "./suunto/suunto.ts";
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
  concept2Definition,
  suuntoDefinition,
  hammerheadDefinition,
  ihealthDefinition,
  cronometerDefinition,
  rideWithGpsDefinition,
  tidepoolDefinition,
  intervalsIcuDefinition,
  mapMyFitnessDefinition,
  omronDefinition,
];
