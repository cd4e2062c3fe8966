import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { findFreePort } from "../../../lib/local/free-port.ts";
import { StartedProcess } from "../service/platform/local-run/started-process.ts";
import { runGuide } from "./run-guide.ts";

/** Runs every guide as it is printed, against one service that runs as `npm start` runs it. */

/** A page that moves the clock runs after all others, whose receivers compare times with the clock of the machine. */
const movesClock = (page: string) => readFileSync(page, "utf8").includes("/_local/clock");
const pages = globSync("docs/guides/*.md").toSorted();
const ordered = [...pages.filter((page) => !movesClock(page)), ...pages.filter(movesClock)];

let directory: string;
let running: StartedProcess;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "tributary-guides-"));
  const [port, managementPort] = [await findFreePort(), await findFreePort()];
  running = new StartedProcess({ directory, port, managementPort });
  await running.ready();
});
afterAll(async () => {
  // A stop waits for a clock that is still moving after a failure, and nobody needs the data.
  await running.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

test.each(ordered)("the commands of %s print what the page states", (page) => runGuide(page, directory));
