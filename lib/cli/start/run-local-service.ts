import { buildLocally } from "../../build/local-build.ts";
import { DataDirectory } from "../../local/data-directory.ts";
import type { LocalService } from "../../local/local-service.ts";
import { settle } from "../../local/settle.ts";
import { StartRefused } from "../../local/start-refused.ts";
import { createConsoleLink } from "../../start/console-link.ts";
import { type LocalIdentity, writeIdentity } from "../../start/identity-file.ts";
import { releaseMemory } from "../../start/release-memory.ts";
import { createDemoUser, sendDemoData } from "../../start/seed-data.ts";
import { type StartedService, startService } from "../../start/start-service.ts";
import { formatWelcome } from "../../start/welcome.ts";
import { Progress } from "../progress.ts";
import { readDataDirectory } from "../service/local-file.ts";
import { readPorts } from "./read-port.ts";

/** Creates the demo user at the first start. Its data follow in {@link storeDemoData}. */
async function createDemo({ service, identity }: StartedService, data: DataDirectory): Promise<LocalIdentity> {
  if (identity.is_seeded) return identity;
  const { baseUrl, managementUrl } = service;
  const known = { ...identity, demo_user_id: await createDemoUser({ baseUrl, managementUrl, identity }) };
  writeIdentity(data, known);
  return known;
}

/** Stores the demo data at the first start, while the service already answers. */
async function storeDemoData(
  { service }: StartedService,
  identity: LocalIdentity,
  data: DataDirectory,
): Promise<LocalIdentity> {
  if (identity.is_seeded || identity.demo_user_id === undefined) return identity;
  const { cloud, baseUrl, managementUrl } = service;
  const progress = new Progress({ label: "Demo data", unit: "records" });
  const calls = { baseUrl, managementUrl, identity };
  const sent = await sendDemoData(calls, identity.demo_user_id, cloud.clock.now(), (count) => progress.update(count));
  await settle(cloud);
  progress.done(`Demo data: stored ${sent.toLocaleString("en")} records of 90 days`);
  const seeded = { ...identity, is_seeded: true };
  writeIdentity(data, seeded);
  releaseMemory();
  return seeded;
}

/** Whether a signal has been received. Later errors are caused by the stop and are ignored. */
let isStopping = false;

/** Stops the service on the first signal. */
function stopOnSignal(service: LocalService, data: DataDirectory): void {
  const stop = async () => {
    isStopping = true;
    data.remove("local.json");
    await service.stop();
    data.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
}

/** Writes local.json for tools that use the service. Its existence signals that the service and its demo data are ready. */
function writeServiceFile(
  data: DataDirectory,
  { baseUrl, managementUrl }: LocalService,
  identity: LocalIdentity,
): void {
  const { org_id, team_id, api_key, management_key, demo_user_id } = identity;
  const addresses = { base_url: baseUrl, management_url: managementUrl };
  const pages = { inbox_url: `${baseUrl}/_local/inbox/page`, openapi_url: `${baseUrl}/openapi.json` };
  data.write("local.json", { ...addresses, org_id, team_id, api_key, management_key, demo_user_id, ...pages });
}

async function start(): Promise<void> {
  const steps: [string, number][] = [];
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work();
    steps.push([name, performance.now() - startedAt]);
    return result;
  };
  const ports = readPorts();
  const data = new DataDirectory(readDataDirectory());
  data.remove("local.json");
  const { assemblyDirectory } = await timed("build", buildLocally);
  const started = await timed("engines", () => startService(data, { assemblyDirectory, ...ports }));
  stopOnSignal(started.service, data);
  const identity = await timed("demo user", () => createDemo(started, data));
  const { baseUrl, managementUrl } = started.service;
  const consoleUrl = await createConsoleLink({ baseUrl, managementUrl, identity });
  console.log(formatWelcome({ baseUrl, managementUrl, identity, consoleUrl, dataDirectory: data.path, steps }));
  writeServiceFile(data, started.service, await storeDemoData(started, identity, data));
}

/** Runs the service on this machine until a signal. A failed start ends the process with exit code 1. */
export async function runLocalService(): Promise<void> {
  process.on("unhandledRejection", (error) => console.error("unhandled rejection in a function:", error));
  await start().catch((error) => {
    if (isStopping) return;
    console.error(error instanceof StartRefused ? `Tributary cannot start: ${error.message}` : error);
    process.exit(1);
  });
}
