import { Validations } from "aws-cdk-lib/core";
import { AwsSolutionsChecks, HIPAASecurityChecks, ServerlessChecks } from "cdk-nag";
import { bundle } from "../lib/build/bundle.ts";
import { acknowledgeFindings } from "../lib/stacks/acknowledgements.ts";
import { readConfig } from "../lib/stacks/config.ts";
import { tributaryApp } from "../lib/stacks/tributary-app.ts";

await bundle("dist");
const app = tributaryApp();
acknowledgeFindings(app, readConfig(app).name);
Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new HIPAASecurityChecks(app), new ServerlessChecks(app));
app.synth();
