import { UsageRefused } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import type { Session } from "../frame/session.ts";
import { flag, option, text, wholeNumber } from "../frame/values.ts";
import { apiOptions, resolveApi } from "../service/api-target.ts";
import { formatLiveEvent, type LiveEvent, matchesFilter, toEventJson } from "../service/live-event.ts";

/** Exit code of a command that Ctrl+C ended: 128 and the number of the signal. */
const INTERRUPTED = 130;

export const tail = declareCommand({
  name: "tail",
  summary: "Shows events as they happen, one a line",
  description: [
    "Reads GET /v2/events from now on, or the webhooks that arrive in the inbox of the local service.",
    `Ctrl+C ends it with exit code ${INTERRUPTED}. With --json each line is a JSON object, with the body of the event.`,
  ],
  options: {
    inbox: flag("show the webhooks of the local inbox instead, and whether their signatures are valid"),
    type: option("<type>", "only events of this type, or with this prefix if it ends in a dot", text.optional()),
    user: option("<id>", "only events of this user", text.optional()),
    after: option(
      "<sequence>",
      "start after this sequence number of the team; 0 shows 30 days",
      wholeNumber(0).optional(),
    ),
    count: option("<count>", "end after this number of events", wholeNumber().optional()),
    ...apiOptions,
  },
  examples: [
    ["tail", "all events of the team of npm start"],
    ["tail --type daily.data. --json", "new and changed data, for another program"],
    ["tail --inbox --user <user id>", "webhooks about one user"],
  ],
  json: "option",
  run: async ({ inbox, type, user, after, count = Number.POSITIVE_INFINITY, ...api }, session) => {
    if (inbox && after !== undefined) throw new UsageRefused("--inbox and --after exclude each other");
    const target = resolveApi(api);
    const onInterrupt = () => process.exit(INTERRUPTED);
    process.once("SIGINT", onInterrupt);
    const { followFeed } = await import("../service/follow-feed.ts");
    const { followInbox } = await import("../service/follow-inbox.ts");
    const notify = () => session.note("Waiting for events. Ctrl+C ends.");
    const events = inbox ? followInbox(target.baseUrl, notify) : followFeed(target, after, notify);
    let shown = 0;
    for await (const event of events) {
      if (!matchesFilter(event, { type, user })) continue;
      show(event, session);
      shown += 1;
      if (shown >= count) break;
    }
    process.off("SIGINT", onInterrupt);
    return undefined;
  },
});

function show(event: LiveEvent, session: Session): void {
  if (session.isJson) session.printJsonLine(toEventJson(event));
  else session.print(formatLiveEvent(event, (style, text) => session.style(style, text)));
}
