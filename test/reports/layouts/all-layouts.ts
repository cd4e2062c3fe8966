import { abroadLayouts } from "./abroad.ts";
import { chainLayouts } from "./chains.ts";
import { clinicLayouts } from "./clinics.ts";
import { commonLayouts } from "./common.ts";
import { furtherLayouts } from "./further.ts";
import { hospitalLayouts } from "./hospitals.ts";
import type { Layout } from "./layout.ts";
import { regionalLayouts } from "./regional.ts";
import { unusualLayouts } from "./unusual.ts";

/** The layouts for developing readers. The held-out layouts have a separate folder. */
export const allLayouts: readonly Layout[] = [
  ...chainLayouts,
  ...hospitalLayouts,
  ...clinicLayouts,
  ...abroadLayouts,
  ...regionalLayouts,
  ...furtherLayouts,
  ...unusualLayouts,
  ...commonLayouts,
];
