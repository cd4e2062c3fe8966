import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DataDirectory } from "../../lib/local/data-directory.ts";
import { ports, usePorts } from "../../lib/runtime/ports.ts";
import { TestService } from "../support/service.ts";
import { seededIds } from "./chance.ts";

/** The start of every simulation, independent of the real time. */
export const BEGIN_MS = Date.UTC(2029, 6, 1);
/** Timeout of the service's start, which takes real time. */
const START_MS = 10 * 60_000;
/** The signing secret of every simulated receiver. */
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** A team of the simulated service. */
export interface SimulatedTeam {
  readonly teamId: string;
  readonly key: string;
}

/** Starts the whole service at the beginning of simulated time, with seeded identifiers. */
export async function startWorld(seed: number): Promise<TestService> {
  const directory = mkdtempSync(join(tmpdir(), "tributary-simulation-"));
  const data = new DataDirectory(directory);
  data.write("clock.json", { offset_ms: BEGIN_MS - START_MS - Date.now() });
  data.close();
  const service = await TestService.start(directory);
  usePorts({ ...ports(), ids: seededIds(seed) });
  // The virtual clock is the system clock plus an offset, so a slow machine would delay simulated events.
  const instant = Date.now();
  Date.now = () => instant;
  // Clients draw their retry pauses between zero and a maximum.
  Math.random = () => 0;
  return service;
}

const system = { now: Date.now, random: Math.random };

/** Stops the service and restores the system's time and randomness. */
export async function stopWorld(service: TestService): Promise<void> {
  Date.now = system.now;
  Math.random = system.random;
  usePorts(undefined);
  await service.stop();
}

/** Creates a team with an endpoint at `url` and `users` users. */
export async function addTeam(service: TestService, name: string, url: string, users: number) {
  const team = await service.createTeam(name);
  const path = `/v1/org/${service.identity.org_id}/team/${team.teamId}/sandbox/webhook`;
  const made = await service.manage("POST", path, { body: { url, secret: SECRET } });
  if (made.status !== 201) throw new Error(`no endpoint: ${JSON.stringify(made.body)}`);
  const userIds: string[] = [];
  for (let user = 0; user < users; user++) userIds.push(await service.createUser(`user ${user}`, team.key));
  return { ...team, userIds, endpointId: String(made.body.id) };
}
