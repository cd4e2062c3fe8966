import { type Environment, environments, type Region, regions } from "../domain/identity.ts";

/** Which environment and region this deployment serves; set for every function by the stacks. */
export function deployment(): { environment: Environment; region: Region } {
  const environment = environments.find((name) => name === process.env.SERVICE_ENVIRONMENT);
  const region = regions.find((name) => name === process.env.SERVICE_REGION);
  if (!environment || !region) throw new Error("SERVICE_ENVIRONMENT and SERVICE_REGION are not set");
  return { environment, region };
}
