import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { sendRequest } from "../../../../drills/kill-client.ts";
import { createHeartRates } from "../../ingest/ingest-batch.ts";
import type { LocalJson } from "./started-process.ts";

const JUMP_MS = 26 * 3_600_000;
const DAY_S = 24 * 3_600;

/** Advances the clock of a stopped service, so that no due task runs in between. */
export function advanceStoppedClock(directory: string): void {
  const file = join(directory, "clock.json");
  const { offset_ms } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ offset_ms: offset_ms + JUMP_MS }));
}

/** Starts a webhook receiver that refuses requests until it is told to accept them. */
export async function startRefusingReceiver() {
  const received: string[] = [];
  const state = { isDown: true };
  const server = createServer(async (request, response) => {
    await request.toArray();
    received.push(String(request.headers["webhook-id"]));
    response.writeHead(state.isDown ? 500 : 204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/hook`, received, state, stop: () => server.close() };
}

/** Advances the clock of a running service, which runs every due task. */
export const advanceRunningClock = (local: LocalJson, seconds: number) =>
  sendRequest(local, "POST", "/_local/clock", { advance_seconds: seconds });

/** Prepares a deletion that becomes due in the jump, one that does not, a token and a failed delivery. */
export async function prepareClockJump(local: LocalJson, url: string) {
  const made = async (client_user_id: string): Promise<string> =>
    (await sendRequest(local, "POST", "/v2/user", { client_user_id })).body.user_id;
  const due = await made("whose time comes in the jump");
  await sendRequest(local, "DELETE", `/v2/user/${due}`);
  await advanceRunningClock(local, 6 * DAY_S);
  const early = await made("whose time is far away");
  await sendRequest(local, "DELETE", `/v2/user/${early}`);
  const user_id = await made("who stays");
  const { link_web_url } = (await sendRequest(local, "POST", "/v2/link/token", { user_id })).body;
  await fetch(`${local.management_url}/v1/org/${local.org_id}/team/${local.team_id}/sandbox/webhook`, {
    method: "POST",
    headers: { "x-management-key": local.management_key, "content-type": "application/json" },
    body: JSON.stringify({ url, event_types: ["daily.data.heartrate.created"] }),
  });
  const resources = { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1) };
  await sendRequest(local, "POST", `/v2/ingest/${user_id}`, { provider: "oura", source_type: "ring", resources });
  await sendRequest(local, "POST", "/_local/settle", {});
  return { due, early, link_web_url };
}
