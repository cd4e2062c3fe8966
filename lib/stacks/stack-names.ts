import type { StackProps } from "aws-cdk-lib/core";
import type { DeploymentConfig } from "./config.ts";

/** Stacks of a deployment besides those of the groups of endpoints. */
const CORE_STACKS = [
  "Data",
  "Operations",
  "Events",
  "Api",
  "Management",
  "Edge",
  "Traces",
  "Deletion",
  "Consumers",
  "Dashboard",
  "ServiceLevels",
] as const;
export type CoreStack = (typeof CORE_STACKS)[number];

type StackOptions = Pick<DeploymentConfig, "edge" | "dashboard" | "traceExport" | "serviceLevels">;

/** Conditions of optional stacks. */
const conditions: { readonly [Stack in CoreStack]?: (config: StackOptions) => boolean } = {
  Edge: ({ edge }) => edge !== undefined,
  Dashboard: ({ dashboard }) => dashboard,
  ServiceLevels: ({ serviceLevels }) => serviceLevels,
  Traces: ({ traceExport }) => traceExport !== undefined,
};

/** Whether a configuration has a core stack. */
export const hasStack = (config: StackOptions, stack: CoreStack): boolean => conditions[stack]?.(config) ?? true;

/** Maximum number of core stacks, or their number with a configuration. */
export const countCoreStacks = (config?: StackOptions): number =>
  CORE_STACKS.filter((stack) => config === undefined || hasStack(config, stack)).length;

/** Name and description of a stack. Its construct id equals its name. */
export const describeStack = (
  { name }: Pick<DeploymentConfig, "name">,
  stack: CoreStack | `Api-${string}`,
): Required<Pick<StackProps, "stackName" | "description">> => ({
  stackName: `${name}-${stack}`,
  description: `${name}: ${stack}`,
});
