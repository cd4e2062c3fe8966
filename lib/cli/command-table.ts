import { admin } from "./commands/admin.ts";
import { bench } from "./commands/bench.ts";
import { bundle } from "./commands/bundle.ts";
import { catalogue } from "./commands/catalogue.ts";
import { createCompletion } from "./commands/completion.ts";
import { cost } from "./commands/cost.ts";
import { diagnoses } from "./commands/diagnoses.ts";
import { doctor } from "./commands/doctor.ts";
import { drill } from "./commands/drill.ts";
import { eventsPackage } from "./commands/events-package.ts";
import { attack } from "./commands/hostile/attack.ts";
import { fuzz } from "./commands/hostile/fuzz.ts";
import { importExport } from "./commands/import.ts";
import { liveSmoke } from "./commands/live-smoke.ts";
import { mutate } from "./commands/mutate.ts";
import { load } from "./commands/observe/load.ts";
import { scale } from "./commands/observe/scale.ts";
import { trace } from "./commands/observe/trace.ts";
import { openapi } from "./commands/openapi.ts";
import { packZips } from "./commands/pack-zips.ts";
import { prose } from "./commands/prose.ts";
import { replay } from "./commands/replay.ts";
import { send } from "./commands/send.ts";
import { simulate } from "./commands/simulate.ts";
import { simulators } from "./commands/simulators.ts";
import { sites } from "./commands/sites.ts";
import { smoke } from "./commands/smoke.ts";
import { start } from "./commands/start.ts";
import { tail } from "./commands/tail.ts";
import type { Command } from "./frame/declaration.ts";

const use = [start, send, tail, trace, replay, importExport, simulators];
const deployment = [doctor, cost, scale, smoke, load, liveSmoke, admin];
const data = [catalogue, sites, diagnoses, packZips];
const development = [openapi, eventsPackage, bundle, prose, mutate, simulate, drill, fuzz, attack, bench];

/** Every command, in the order of the help: for use, for a deployment, for its data, for development. */
export const commands: readonly Command[] = [
  ...use,
  ...deployment,
  ...data,
  ...development,
  createCompletion(() => commands),
];
