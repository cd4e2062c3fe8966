import { deepEqual, equal, ok } from "node:assert/strict";
import { callAws, workFile } from "./command.ts";
import { compareSamples, ingest, type StoryUser } from "./data-story.ts";
import { runCdkAsRole } from "./deploying-role.ts";
import { type Deployment, deployAll } from "./deployment.ts";
import { countRetained, listLeft } from "./left-resources.ts";
import type { Steps } from "./steps.ts";

/** A setting that every function has in its environment. */
const SETTING = "requestsPerSecond=900";

/** The same stacks are deployed with another setting: functions change, and data stays. */
export async function runUpgradeStory(steps: Steps, deployment: Deployment, user: StoryUser): Promise<void> {
  await steps.run(`cdk deploy of all stacks again, with ${SETTING}`, async () => {
    await deployAll("-c", SETTING, "--output", workFile("upgraded"));
    const { Functions } = await callAws("lambda", "ListFunctions", { MaxItems: 1 });
    equal(Functions[0].Environment.Variables.REQUESTS_PER_SECOND, "900");
  });
  await steps.run("the key, the user and every sample are still there", () => compareSamples(deployment, user));
  await steps.run("new data joins the old", async () => {
    const [first] = user.samples;
    ok(first);
    await ingest(deployment, user.userId, { heartrate: [{ ...first, value: 199 }] });
    const samples = user.samples.map((sample) => (sample === first ? { ...first, value: 199 } : sample));
    await compareSamples(deployment, { ...user, samples });
  });
}

/** All stacks are destroyed. What the templates retain stays, and nothing else. */
export async function runDestroyStory(steps: Steps): Promise<void> {
  const retained = countRetained();
  await steps.run("cdk destroy of all stacks", () =>
    runCdkAsRole("destroy", "--all", "--force", "--app", workFile("upgraded")),
  );
  const left = await listLeft();
  for (const [type, names] of Object.entries(left))
    for (const name of names) console.log(`       left: ${type} ${name}`);
  await steps.run("what is left is what the templates retain", async () => {
    deepEqual(Object.fromEntries(Object.entries(left).map(([type, { length }]) => [type, length])), retained);
  });
}
