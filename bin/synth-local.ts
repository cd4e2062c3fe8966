import { bundle } from "../lib/build/bundle.ts";
import { checkDefinition } from "../lib/local/states/states-language.ts";
import { readAssembly } from "../lib/local/template/assembly.ts";
import { machinesOf } from "../lib/local/template/wiring.ts";
import { tributaryApp } from "../lib/stacks/tributary-app.ts";

const [directory = "dist", context = "{}"] = process.argv.slice(2);
await bundle(`${directory}/functions`);
// Without staging, asset paths refer to the bundle itself, where functions share their modules.
const settings = {
  ...JSON.parse(context),
  "aws:cdk:disable-asset-staging": true,
  bundleDirectory: `${directory}/functions`,
};
tributaryApp(settings, `${directory}/assembly`).synth();
const assembly = readAssembly(`${directory}/assembly`, { region: "us-east-1", queueOrigin: "http://127.0.0.1" });
for (const { definition } of machinesOf(assembly)) checkDefinition(definition);
