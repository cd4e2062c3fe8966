import "./resolve-localhost.ts";
import { equal, match, ok } from "node:assert/strict";
import { runCdk, runTributary, workFile } from "./command.ts";
import { ingest, runDataStory } from "./data-story.ts";
import { createRole } from "./deploying-role.ts";
import { BOOTSTRAP, Deployment, deployAll, readApiAddress } from "./deployment.ts";
import { moveByArchive } from "./move-by-archive.ts";
import { keyArguments, readAll } from "./restored-deployment.ts";
import { SignedReceiver } from "./signed-receiver.ts";
import { Steps, until } from "./steps.ts";

/** Name of the deployment that receives the data. */
const NAME = "Restored";

const steps = new Steps();

/** Restores all tables to an instant. @returns the report of the command. */
async function restore(at: string) {
  return JSON.parse(
    await runTributary(
      "admin",
      "restore",
      "--from",
      "Tributary",
      "--stack",
      NAME,
      "--at",
      at,
      ...(await keyArguments(NAME)),
    ),
  );
}

async function runRestore(receiver: SignedReceiver): Promise<void> {
  await runCdk(BOOTSTRAP);
  await createRole();
  await steps.run("cdk deploy of all stacks", () => deployAll("--app", "cdk.out"));
  const deployment = await steps.run("the operator creates an organisation", Deployment.create);
  await deployment.createTeam();
  const path = `/team/${deployment.teamId}/sandbox/webhook`;
  const { id } = await deployment.manage("POST", path, { url: receiver.url });
  receiver.secret = (await deployment.manage("GET", `${path}/${id}/secret`)).key;
  const user = await runDataStory(steps, deployment, receiver);
  const at = new Date().toISOString();
  await steps.run(`cdk deploy of all stacks with the name ${NAME}`, () =>
    deployAll("-c", `name=${NAME}`, "--output", workFile("restored")),
  );
  const api = readApiAddress(NAME);
  await steps.run("its API knows no key", async () =>
    equal((await deployment.request("GET", `${api}/v2/user`)).status, 401),
  );
  await steps.run(`npm run admin -- restore --at ${at}`, async () => {
    const report = await restore(at);
    console.log(`       ${JSON.stringify(report)}`);
    ok(report.tables.samples.items > 0);
  });
  await steps.run("the same key reads every sample from the other deployment", () => readAll(deployment, user, api));
  await steps.run("new data is stored there, and its webhook has the signature of the endpoint's secret", async () => {
    const { event_ids } = await ingest(deployment, user.userId, { steps: [stepsOf(user.day)] }, api);
    await until(
      "the webhook arrives",
      async () => receiver.verified.some(({ id }) => id === event_ids[0]) || undefined,
    );
  });
  await steps.run("a second restore is refused", async () => {
    const refusal = await restore(at).then(
      () => "restored again",
      (error: Error) => error.message,
    );
    match(refusal, /is not empty/);
  });
  await moveByArchive(steps, deployment, user);
}

const stepsOf = (day: string) => ({ start: `${day}T08:00:00Z`, end: `${day}T08:05:00Z`, value: 50 });

const receiver = await SignedReceiver.start();
await steps.chapter(() => runRestore(receiver));
receiver.stop();
process.exitCode = steps.end();
