import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DataDirectory } from "../../lib/local/data-directory.ts";
import { ports, setPorts } from "../../lib/runtime/ports.ts";
import { TestService } from "../support/service.ts";
import { seededIds } from "./keyed-random.ts";

/** The start of every simulation, independent of the real time. */
export const SIMULATION_START_MS = Date.UTC(2029, 6, 1);
/** Timeout of the service's start, which takes real time. */
const STARTUP_MS = 10 * 60_000;
/** The signing secret of every simulated receiver. */
export const RECEIVER_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Starts the whole service at the beginning of simulated time, with seeded identifiers. */
export async function startSimulatedService(seed: number): Promise<TestService> {
  const directory = mkdtempSync(join(tmpdir(), "tributary-simulation-"));
  const data = new DataDirectory(directory);
  data.write("clock.json", { offset_ms: SIMULATION_START_MS - STARTUP_MS - Date.now() });
  data.close();
  const service = await TestService.start(directory);
  setPorts({ ...ports(), ids: seededIds(seed) });
  // The virtual clock is the system clock plus an offset, so a slow machine would delay simulated events.
  const instant = Date.now();
  Date.now = () => instant;
  // Clients draw their retry pauses between zero and a maximum.
  Math.random = () => 0;
  return service;
}

const systemPorts = { now: Date.now, random: Math.random };

/** Stops the service and restores the system's time and randomness. */
export async function stopSimulatedService(service: TestService): Promise<void> {
  Date.now = systemPorts.now;
  Math.random = systemPorts.random;
  setPorts(undefined);
  await service.stop();
}

/** Creates a team with an endpoint at `url` and `users` users. */
export async function addSimulatedTeam(service: TestService, name: string, url: string, users: number) {
  const team = await service.createTeam(name);
  const path = `/v1/org/${service.identity.org_id}/team/${team.teamId}/sandbox/webhook`;
  const made = await service.manage("POST", path, { body: { url, secret: RECEIVER_SECRET } });
  if (made.status !== 201) throw new Error(`no endpoint: ${JSON.stringify(made.body)}`);
  const userIds: string[] = [];
  for (let user = 0; user < users; user++) userIds.push(await service.createUser(`user ${user}`, team.key));
  return { ...team, userIds, endpointId: String(made.body.id) };
}
