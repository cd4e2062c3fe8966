import type { App } from "aws-cdk-lib/core";
import type { Environment, Region } from "../domain/identity.ts";

/** What a deployment may set in the context of cdk.json; everything has a safe default and nothing is a secret. */
export interface DeploymentConfig {
  /** Prefix of all stack names. */
  readonly name: string;
  readonly environment: Environment;
  readonly region: Region;
  /** Days that logs are kept. */
  readonly logRetentionDays: number;
  /** Where bundled functions are, relative to the project. */
  readonly bundleDirectory: string;
}

/** The configuration of an app, read from its context. */
export function readConfig(app: App): DeploymentConfig {
  const setting = <T>(key: string, fallback: T): T => app.node.tryGetContext(key) ?? fallback;
  return {
    name: setting("name", "Tributary"),
    environment: setting("environment", "sandbox"),
    region: setting("region", "us"),
    logRetentionDays: setting("logRetentionDays", 90),
    bundleDirectory: setting("bundleDirectory", "dist"),
  };
}
