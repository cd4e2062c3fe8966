import { decryptDataKey, getItem } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { teamForwards } from "../../lib/contract/queues.ts";
import { credentialsKey, destinations } from "../../lib/contract/resources.ts";
import { eventReference } from "../../lib/events/catalogue/envelope.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { forwardEventsAccess } from "../../lib/services/forwarding/forward-events.ts";
import { forwardToTeams } from "../../lib/services/forwarding/forward-to-teams.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Sends events to the destinations that teams configured. */
export const contract = consumer({
  operationId: "forwardToTeam",
  tag: "forwarding",
  summary: "Forward events to the destinations of teams",
  trigger: { kind: "queue", queue: teamForwards, batchSize: 10, maxConcurrency: 20 },
  message: eventReference,
  access: [getItem(destinations), decryptDataKey(credentialsKey, "destination"), ...forwardEventsAccess],
  memoryMb: 1024,
  timeoutS: 60,
});

export const handler = consumeBatch(contract, (deliveries, deps) => forwardToTeams(deliveries, TeamScope.grant, deps));
