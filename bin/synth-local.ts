import { bundleFunctions } from "../lib/build/bundle.ts";
import { validateDefinition } from "../lib/local/states/validate-definition.ts";
import { readAssembly } from "../lib/local/template/read-assembly.ts";
import { readStateMachines } from "../lib/local/template/read-resources.ts";
import { createTributaryApp } from "../lib/stacks/tributary-app.ts";

const [directory = "dist", context = "{}"] = process.argv.slice(2);
await bundleFunctions(`${directory}/functions`);
// Without staging, asset paths refer to the bundle itself, where functions share their modules.
const settings = {
  ...JSON.parse(context),
  "aws:cdk:disable-asset-staging": true,
  bundleDirectory: `${directory}/functions`,
};
createTributaryApp(settings, `${directory}/assembly`).synth();
const assembly = readAssembly(`${directory}/assembly`, { region: "us-east-1", queueOrigin: "http://127.0.0.1" });
for (const { definition } of readStateMachines(assembly)) validateDefinition(definition);
