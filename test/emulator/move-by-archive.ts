import { equal, ok, rejects } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTributary, workFile } from "./command.ts";
import type { runDataStory } from "./data-story.ts";
import { type Deployment, deployAll, readApiAddress } from "./deployment.ts";
import { keyArguments, readAll } from "./restored-deployment.ts";
import type { Steps } from "./steps.ts";

/** Name of the deployment that imports the archive. */
const NAME = "Moved";

const [archive, identity, recipient] = [workFile("archive"), workFile("identity.jwk"), workFile("recipient.jwk")];

/** Exports the deployment to an archive, and imports that into a third deployment. */
export async function moveByArchive(
  steps: Steps,
  deployment: Deployment,
  user: Awaited<ReturnType<typeof runDataStory>>,
): Promise<void> {
  await steps.run("npm run admin -- export-deployment", async () => {
    await runTributary("admin", "create-archive-keys", "--identity", identity, "--recipient", recipient);
    const words = ["admin", "export-deployment", "--stack", "Tributary", "--to", archive, "--recipient", recipient];
    const report = await runTributary(...words);
    console.log(`       ${report.replaceAll(/\s+/g, " ")}`);
    ok(JSON.parse(report).records.samples > 0);
  });
  await steps.run(`cdk deploy of all stacks with the name ${NAME}`, () =>
    deployAll("-c", `name=${NAME}`, "--output", workFile("moved")),
  );
  const words = ["admin", "import-deployment", "--archive", archive, "--identity", identity, "--stack", NAME];
  const all = [...words, ...(await keyArguments(NAME))];
  const part = join(archive, "tables/samples-000001.part");
  const bytes = readFileSync(part);
  await steps.run("an archive with a damaged part is refused", async () => {
    writeFileSync(part, Buffer.from(bytes).fill(0, 50, 51));
    await rejects(runTributary(...all), /tables\/samples-000001.part is damaged/);
    writeFileSync(part, bytes);
  });
  const api = readApiAddress(NAME);
  await steps.run("its API knows no key", async () =>
    equal((await deployment.request("GET", `${api}/v2/user`)).status, 401),
  );
  await steps.run("npm run admin -- import-deployment", async () => {
    const report = JSON.parse(await runTributary(...all));
    ok(report.tables.samples.items > 0);
  });
  await steps.run("the same key reads every sample from the deployment that imported", () =>
    readAll(deployment, user, api),
  );
}
