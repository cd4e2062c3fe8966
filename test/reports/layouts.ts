import type { Layout } from "./layout.ts";
import { abroad } from "./layouts/abroad.ts";
import { chains } from "./layouts/chains.ts";
import { clinics } from "./layouts/clinics.ts";
import { common } from "./layouts/common.ts";
import { further } from "./layouts/further.ts";
import { hospitals } from "./layouts/hospitals.ts";
import { regional } from "./layouts/regional.ts";
import { unusual } from "./layouts/unusual.ts";

/** The layouts for developing readers. The held-out layouts have a separate folder. */
export const layouts: readonly Layout[] = [
  ...chains,
  ...hospitals,
  ...clinics,
  ...abroad,
  ...regional,
  ...further,
  ...unusual,
  ...common,
];
