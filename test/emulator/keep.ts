import "./resolve-localhost.ts";
import { runCdk, workFile } from "./command.ts";
import { createRole } from "./deploying-role.ts";
import { BOOTSTRAP, Deployment, deployAll } from "./deployment.ts";

await runCdk(BOOTSTRAP);
await createRole();
const stacks = await deployAll("--app", "cdk.out");
const deployment = await Deployment.create();
await deployment.createTeam();
console.log(`${stacks} stacks are deployed.

Address            ${deployment.api}
Management API     ${deployment.managementUrl}
API key            ${deployment.key}
Management key     ${deployment.managementKey}
AWS endpoint       ${process.env.AWS_ENDPOINT_URL}
Certificate        ${workFile("cert.pem")}

curl --cacert ${workFile("cert.pem")} ${deployment.api}/v2/user -H "x-service-api-key: ${deployment.key}"

Ctrl-C stops the emulator and deletes everything.`);
