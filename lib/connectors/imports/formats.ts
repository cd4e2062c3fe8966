import { appleHealth } from "./apple-health/apple-health.ts";
import type { ImportFormat } from "./format.ts";
import { garmin } from "./garmin/garmin.ts";

/** All formats that an import recognises. */
export const formats: readonly ImportFormat[] = [appleHealth, garmin];
