import { App, Validations } from "aws-cdk-lib/core";
import { AwsSolutionsChecks, HIPAASecurityChecks, ServerlessChecks } from "cdk-nag";
import { bundleFunctions, FUNCTION_CACHE } from "../lib/build/bundle.ts";
import { readConfig } from "../lib/stacks/config.ts";
import { createTributaryApp } from "../lib/stacks/tributary-app.ts";

// The app reads the files of functions, so their settings are read before.
await bundleFunctions("dist", FUNCTION_CACHE, readConfig(new App({ autoSynth: false })));
const app = createTributaryApp();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new HIPAASecurityChecks(app), new ServerlessChecks(app));
app.synth();
