import { Validations } from "aws-cdk-lib/core";
import { AwsSolutionsChecks, HIPAASecurityChecks, ServerlessChecks } from "cdk-nag";
import { bundleFunctions, FUNCTION_CACHE } from "../lib/build/bundle.ts";
import { createTributaryApp } from "../lib/stacks/tributary-app.ts";

await bundleFunctions("dist", FUNCTION_CACHE);
const app = createTributaryApp();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new HIPAASecurityChecks(app), new ServerlessChecks(app));
app.synth();
