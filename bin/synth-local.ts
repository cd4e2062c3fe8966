import { bundle } from "../lib/build/bundle.ts";
import { tributaryApp } from "../lib/stacks/tributary-app.ts";

const [directory = "dist", context = "{}"] = process.argv.slice(2);
await bundle(`${directory}/functions`);
// Without staging, asset paths lead to the bundle itself, where functions share their modules.
const settings = {
  ...JSON.parse(context),
  "aws:cdk:disable-asset-staging": true,
  bundleDirectory: `${directory}/functions`,
};
tributaryApp(settings, `${directory}/assembly`).synth();
