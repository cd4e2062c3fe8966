import { Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { ConsumerContract } from "../contract/consumer.ts";
import { ConsumerFunction } from "./consumer-function.ts";
import type { DeploymentResources } from "./deployment-resources.ts";

/** The functions that queues, streams and schedules invoke. */
export class ConsumersStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    props: StackProps & { contracts: readonly ConsumerContract[]; world: DeploymentResources },
  ) {
    super(scope, id, props);
    for (const contract of props.contracts) new ConsumerFunction(this, contract, props.world);
  }
}
