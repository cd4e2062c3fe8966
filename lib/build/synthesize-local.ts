import { validateDefinition } from "../local/states/validate-definition.ts";
import { readAssembly } from "../local/template/read-assembly.ts";
import { readStateMachines } from "../local/template/read-resources.ts";
import { createTributaryApp } from "../stacks/tributary-app.ts";

/**
 * Synthesizes the app of a build, and checks the definitions of its state machines.
 * @param directory directory of the build.
 * @throws Error for an invalid definition.
 */
export function synthesizeLocally(directory: string, settings: Readonly<Record<string, unknown>>): void {
  // Without staging, asset paths refer to the directories of functions in the build itself.
  const context = { ...settings, "aws:cdk:disable-asset-staging": true, bundleDirectory: `${directory}/functions` };
  createTributaryApp(context, `${directory}/assembly`).synth();
  const assembly = readAssembly(`${directory}/assembly`, { region: "us-east-1", queueOrigin: "http://127.0.0.1" });
  for (const { definition } of readStateMachines(assembly)) validateDefinition(definition);
}
