import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireMessage } from "../../lib/events/webhooks/webhook-message.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireEnabledWebhook, webhookParams } from "../../lib/services/webhooks/require-webhook.ts";
import { sendTestEvent, sendTestEventAccess, testEventDraft } from "../../lib/services/webhooks/send-test-event.ts";

export const contract = endpoint({
  operationId: "testWebhook",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/test",
  tag: "management-webhooks",
  summary: "Send a test event to a webhook endpoint",
  description: [
    "Sends an example of an event type to this endpoint only, whatever its filter.",
    "The type is `daily.data.activity.created` by default.",
    "The data is synthetic and belongs to no user; the id begins with `test_`, and the event feed does not contain it.",
    "The delivery is a normal one, with signature and retries: list its attempts to see the response of your receiver.",
    "A disabled endpoint returns `not_possible`: enable it first. A suspended one gets it after its next probe.",
  ],
  auth: "management",
  params: webhookParams,
  query: noFields,
  body: testEventDraft,
  response: wireMessage,
  status: 202,
  errors: [NotFound, NotPossible],
  access: [getItem(teams), getItem(webhookEndpoints), ...sendTestEventAccess],
});

export const handler = implement(contract, async ({ body, ...call }, { teams, webhookEndpoints, ...deps }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireEnabledWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return sendTestEvent(deps, webhook, body);
});
