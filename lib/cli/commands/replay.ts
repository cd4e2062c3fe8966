import { deliveryState } from "../../events/webhooks/webhook-message.ts";
import { UsageRefused } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import { argument, flag, instant, option, text } from "../frame/values.ts";
import { managementOptions, resolveManagement } from "../service/management-target.ts";

export const replay = declareCommand({
  name: "replay",
  summary: "Resends a message or a range of messages to a webhook endpoint",
  description: [
    "Each message keeps its id and carries the current data. Messages of a range are resent oldest first.",
    "--missing instead sends the events since --since that the endpoint never received.",
  ],
  args: { eventId: argument("[event id]", "the message to resend, by its webhook-id", text.optional()) },
  options: {
    webhook: option("<id>", "id of the endpoint; may be left out if the team has one", text.optional()),
    since: option("<instant>", "first instant of the range", instant.optional()),
    until: option("<instant>", "end of the range, exclusive; now by default", instant.optional()),
    type: option("<type>", "only messages of this type, or with this prefix if it ends in a dot", text.optional()),
    state: option("<state>", "only messages in this state", deliveryState.optional()),
    missing: flag("send the missing events since --since, and wait until the task ends"),
    dryRun: flag("only list the messages of the range"),
    ...managementOptions,
  },
  examples: [
    ["replay evt_…", "one message to the endpoint of npm start"],
    ["replay --since 2026-05-01T00:00:00Z --type daily.data. --dry-run", "lists a range"],
    ["replay --since 2026-05-01T00:00:00Z --state exhausted", "what finally failed"],
    ["replay --missing --since 2026-05-01T00:00:00Z", "after the filter of an endpoint became wider"],
  ],
  json: "option",
  run: async ({ eventId, webhook, since, until, type, state, missing, dryRun, ...options }, session) => {
    if ((eventId === undefined) === (since === undefined)) throw new UsageRefused("give an event id or --since");
    const { WebhookClient } = await import("../service/webhook-client.ts");
    const { replayMessage, replayMissing, replayRange } = await import("../service/replay-messages.ts");
    const client = await WebhookClient.open(resolveManagement(options), webhook);
    if (eventId !== undefined) return replayMessage(client, eventId, session);
    const range = { since: since ?? "", until, type, state };
    if (!missing) return replayRange(client, range, dryRun, session);
    if (until || type || state || dryRun) throw new UsageRefused("--missing takes no filter but --since");
    return replayMissing(client, range.since, session);
  },
});
