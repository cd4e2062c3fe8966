import { appleHealth } from "./apple-health/apple-health.ts";
import { fitbit } from "./fitbit/fitbit.ts";
import type { ImportFormat } from "./format.ts";
import { garmin } from "./garmin/garmin.ts";
import { googleFit } from "./google-fit/google-fit.ts";
import { oura } from "./oura/oura.ts";
import { samsungHealth } from "./samsung-health/samsung-health.ts";
import { whoop } from "./whoop/whoop.ts";

/** All formats that an import recognises. */
export const formats: readonly ImportFormat[] = [appleHealth, garmin, fitbit, googleFit, samsungHealth, oura, whoop];
