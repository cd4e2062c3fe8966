import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams, webhookTasks } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireTask, wireWebhookTask } from "../../lib/events/webhooks/webhook-task.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { webhookParams } from "../../lib/services/webhooks/require-webhook.ts";

export const contract = endpoint({
  operationId: "getWebhookTask",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/task/{task_id}",
  tag: "management-webhooks",
  summary: "Retrieve a task of a webhook endpoint",
  description: [
    "Returns the progress of a recover or replay task of an endpoint.",
    "Poll it until `state` is `done`, or `stopped` because the endpoint was disabled or deleted.",
    "`sent` is a minimum, and the task sends at most 30 messages a second.",
    "A task stays for 30 days; then it returns `not_found`, as an unknown one does.",
  ],
  auth: "management",
  consoleRoles: ["admin", "support"],
  params: webhookParams.extend({ task_id: z.guid().toLowerCase().describe("Id of the task") }),
  query: noFields,
  response: wireWebhookTask,
  errors: [NotFound],
  access: [getItem(teams), getItem(webhookTasks)],
});

export const handler = implement(contract, async (call, { teams, webhookTasks }) => {
  const { teamId: team_id } = await requireTeamScope(teams, call);
  const { webhook_id: endpoint_id, task_id } = call.params;
  const task = await webhookTasks.get({ team_id, endpoint_id, task_id });
  if (!task) throw new NotFound("The endpoint has no task with this id.");
  return toWireTask(task);
});
