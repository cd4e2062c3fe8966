import "./resolve-localhost.ts";
import { deepEqual, equal } from "node:assert/strict";
import { runAccessStory } from "./access-story.ts";
import { listDenials, runCdk, runTributary } from "./command.ts";
import { countMessages } from "./count-messages.ts";
import { runDataStory } from "./data-story.ts";
import { runRoleStory } from "./deploying-role.ts";
import { BOOTSTRAP, Deployment, deployAll } from "./deployment.ts";
import { runErasureStory } from "./erasure-story.ts";
import { callEveryOperation } from "./every-operation.ts";
import { runLabStory } from "./lab-story.ts";
import { runPolicyStory } from "./policy-story.ts";
import { SignedReceiver } from "./signed-receiver.ts";
import { Steps } from "./steps.ts";
import { listTemplateResources } from "./template-resources.ts";
import { runDestroyStory, runUpgradeStory } from "./upgrade-story.ts";

const steps = new Steps();
/** Dead-letter queues, and queues of missed runs, undelivered messages and unrouted events. */
const FAILURE_QUEUE = /DeadLetters|Missed|Undelivered|Unrouted/;

/** Deploys the stacks by the role that deploys, and creates what the operator and the organisation create first. */
async function runDeployment(receiver: SignedReceiver): Promise<Deployment> {
  await steps.run("cdk deploy of all stacks", async () =>
    console.log(`       ${await deployAll("--app", "cdk.out")} stacks`),
  );
  const deployment = await steps.run("the operator creates an organisation", Deployment.create);
  await steps.run("an unknown path is 404, and a call without a key 401", async () => {
    const statuses = ["/nowhere", "/v2/user"].map((path) => deployment.request("GET", path, undefined, {}));
    deepEqual(
      (await Promise.all(statuses)).map(({ status }) => status),
      [404, 401],
    );
  });
  await steps.run("the organisation creates a team with a key", () => deployment.createTeam());
  await steps.run("and a webhook endpoint", async () => {
    const path = `/team/${deployment.teamId}/sandbox/webhook`;
    const { id } = await deployment.manage("POST", path, { url: receiver.url });
    receiver.secret = (await deployment.manage("GET", `${path}/${id}/secret`)).key;
  });
  await steps.run("npm run smoke", () => runTributary("smoke", deployment.api, "--key", deployment.key));
  return deployment;
}

/** What a story must leave: IAM has denied only what the story wanted, and no queue of failures has a message. */
async function checkFailures(plannedDenials: readonly string[]): Promise<void> {
  await steps.run("IAM has denied no other request", async () => deepEqual(listDenials(), plannedDenials));
  await steps.run("every queue of failures is empty", async () => {
    const queues = listTemplateResources().filter(
      ([id, { Type }]) => Type === "AWS::SQS::Queue" && FAILURE_QUEUE.test(id),
    );
    const counts = await countMessages(FAILURE_QUEUE);
    equal(counts.size, queues.length);
    deepEqual(
      [...counts].filter(([, count]) => count !== "0"),
      [],
    );
  });
}

async function runAll(receiver: SignedReceiver): Promise<void> {
  await steps.run("cdk bootstrap", () => runCdk(BOOTSTRAP));
  const deniedToRole = await runRoleStory(steps);
  const deployment = await runDeployment(receiver);
  const user = await runDataStory(steps, deployment, receiver);
  const { userId: user_id, day: start_date } = user;
  const { orgId: org_id, teamId: team_id } = deployment;
  const ids = { user_id, org_id, team_id, start_date, env: "sandbox", region: "us", provider: "oura" };
  await steps.chapter(() => runAccessStory(steps, deployment, user_id));
  await steps.chapter(async () => {
    const order_id = await runLabStory(steps, deployment, user_id);
    await callEveryOperation(steps, deployment, { ...ids, order_id });
  });
  await steps.chapter(() => runErasureStory(steps, deployment));
  await steps.chapter(async () => {
    const planned = await runPolicyStory(steps, deployment, user_id);
    await runUpgradeStory(steps, deployment, user);
    await checkFailures([...deniedToRole, ...planned]);
  });
  await steps.chapter(() => runDestroyStory(steps));
}

const receiver = await SignedReceiver.start();
await steps.chapter(() => runAll(receiver));
receiver.stop();
process.exitCode = steps.end();
