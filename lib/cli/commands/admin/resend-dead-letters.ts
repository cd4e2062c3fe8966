import { declareCommand } from "../../frame/declaration.ts";
import { option, text } from "../../frame/values.ts";
import { stackName, stackOption } from "./bootstrap-options.ts";

export const resendDeadLetters = declareCommand({
  name: "resend-dead-letters",
  summary: "Publishes the events in the dead-letter queue of a rule again, and deletes them there",
  description: ["Run it after the cause is fixed. A message that is not an event stays in the queue."],
  options: { queue: option("<name>", "name of the queue, as in the alarm", text), ...stackOption },
  examples: [
    [
      "admin resend-dead-letters --queue Tributary-Events-UndeliveredEventsQueue0A1B2C3D-x4Yz",
      "counts what the bus accepted, and what stays",
    ],
  ],
  json: "always",
  failurePrefix: "Not done",
  run: async ({ queue, stack }) => {
    const work = await import("../../../start/resend-dead-letters.ts");
    const { explainAwsErrors } = await import("../../../start/deployed-table.ts");
    return { data: await explainAwsErrors(() => work.resendDeadLetters(queue, stackName(stack), Date.now())) };
  },
});
