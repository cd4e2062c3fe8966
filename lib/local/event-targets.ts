import { DeliveryError } from "./events/delivery-error.ts";
import type { EventBus } from "./events/event-bus.ts";
import type { Deliver } from "./events/rules.ts";
import type { FunctionHost } from "./functions/function-host.ts";
import type { QueueEngine } from "./sqs/queue-engine.ts";
import type { ResolvedAssembly } from "./template/read-assembly.ts";
import { readRules } from "./template/read-resources.ts";

/** The engines that run the targets of rules. */
interface TargetEngines {
  readonly queues: QueueEngine;
  readonly host: FunctionHost;
}

/** Adds the buses and rules that the templates declare. */
export function addBusesAndRules(bus: EventBus, assembly: ResolvedAssembly): void {
  const { region, account, resources } = assembly;
  bus.addBus("default", `arn:aws:events:${region}:${account}:event-bus/default`);
  for (const { type, name, arn } of resources) if (type === "AWS::Events::EventBus") bus.addBus(name, arn ?? "");
  for (const rule of readRules(assembly)) bus.addRule(rule);
}

/** Creates the function that delivers a matched event to its target, a queue or a Lambda function. */
export function createEventDelivery(engines: TargetEngines): Deliver {
  return async (targetArn, payload, target) => {
    const service = targetArn.split(":")[2];
    if (service === "lambda") return engines.host.invoke(targetArn, JSON.parse(payload));
    if (service !== "sqs")
      throw new DeliveryError("SDK_CLIENT_ERROR", `the local bus cannot deliver to ${targetArn}`, false);
    const queue = engines.queues.queues().find(({ arn }) => arn === targetArn);
    if (!queue) throw new DeliveryError("NO_PERMISSIONS", `the queue ${targetArn} does not exist`, false);
    const about = Object.entries(target.messageAttributes ?? {});
    const attributes = Object.fromEntries(
      about.map(([name, text]) => [name, { DataType: "String", StringValue: text }]),
    );
    return engines.queues.send(queue.url, { body: payload, attributes, groupId: target.sqs?.messageGroupId });
  };
}
