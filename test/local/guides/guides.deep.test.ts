// @module-tag deep
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../../../lib/local/free-port.ts";
import { type LocalJson, StartedProcess } from "../service/platform/local-run/started-process.ts";
import { runGuide } from "./run-guide.ts";

/** Runs every guide as it is printed, against one service that runs as `npm start` runs it. */

/** A page that moves the clock runs after all others, whose receivers compare times with the clock of the machine. */
const movesClock = (page: string) => readFileSync(page, "utf8").includes("/_local/clock");
const pages = globSync("docs/guides/*.md").toSorted();
const ordered = [...pages.filter((page) => !movesClock(page)), ...pages.filter(movesClock)];

let directory: string;
let running: StartedProcess;
let local: LocalJson;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "tributary-guides-"));
  const [port, managementPort] = [await findFreePort(), await findFreePort()];
  running = new StartedProcess({ directory, port, managementPort });
  local = await running.ready();
});
// The receiver of a page ends with it. The service would try its endpoint in each minute of a later page's week.
afterEach(async () => {
  const { management_url, org_id, team_id, management_key } = local;
  const list = `${management_url}/v1/org/${org_id}/team/${team_id}/sandbox/webhook`;
  const headers = { "x-management-key": management_key };
  const { data }: { data: { id: string; url: string }[] } = await (await fetch(list, { headers })).json();
  for (const { id } of data.filter(({ url }) => !url.startsWith(local.base_url)))
    expect((await fetch(`${list}/${id}`, { method: "DELETE", headers })).ok).toBe(true);
});
afterAll(async () => {
  // A stop waits for a clock that is still moving after a failure, and nobody needs the data.
  await running.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

test.each(ordered)("the commands of %s print what the page states", (page) => runGuide(page, directory));
