import { get, getMany, open, put } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { teamForwards } from "../../lib/contract/queues.ts";
import { accessLog, credentialsKey, destinations, outbox, teams, users } from "../../lib/contract/resources.ts";
import { eventReference } from "../../lib/events/envelope.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { forwardToTeams } from "../../lib/runtime/team-forwarding.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Sends events to the destinations that teams configured. */
export const contract = consumer({
  operationId: "forwardToTeam",
  tag: "forwarding",
  summary: "Forward events to the destinations of teams",
  trigger: { kind: "queue", queue: teamForwards, batchSize: 10, maxConcurrency: 20 },
  message: eventReference,
  access: [
    get(destinations),
    open(credentialsKey, "destination"),
    getMany(outbox),
    get(teams),
    getMany(users),
    put(accessLog),
  ],
  memoryMb: 1024,
  timeoutS: 60,
});

export const handler = consumeBatch(contract, (deliveries, uses) => forwardToTeams(deliveries, TeamScope.grant, uses));
