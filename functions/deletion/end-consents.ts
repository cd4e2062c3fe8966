import { endConsents } from "../../lib/connections/ending-consents.ts";
import { get, open, query, reveal, seal, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import {
  connectionCredentials,
  credentialsKey,
  customCredentials,
  providerApps,
} from "../../lib/contract/resources.ts";
import { deletionInput } from "../../lib/domain/deletion.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { demoProviders } from "../../lib/simulators/demo-providers.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Revokes a user's grants at providers before the erasure deletes them. Fails while a provider is unreachable; the
 * state machine retries for some hours and then continues without it.
 */
export const contract = consumer({
  operationId: "endConsents",
  tag: "deletion",
  summary: "Revoke the provider access of a user before erasure",
  trigger: { kind: "task" },
  message: deletionInput,
  access: [
    ...([query(connectionCredentials), get(connectionCredentials), update(connectionCredentials)] as const),
    ...([
      get(customCredentials),
      reveal(providerApps),
      open(credentialsKey, "connection", "custom_credentials"),
      seal(credentialsKey, "connection"),
    ] as const),
  ],
  timeoutS: 300,
});

export const handler = consume(contract, async ({ message, log }, uses) => {
  const unreached = await endConsents(
    { ...uses, demoProviders },
    TeamScope.grant(message.team_id),
    message.user_id,
    log,
  );
  if (unreached > 0) throw new Error("a provider is unreachable; the state machine retries");
  return {};
});
