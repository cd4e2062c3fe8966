import { consumer } from "../../lib/contract/consumer.ts";
import { deletionInput } from "../../lib/domain/erasure/deletion-input.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { endConsents, endConsentsAccess } from "../../lib/services/connections/oauth/end-consents.ts";
import { loadDemoProviders } from "../../lib/simulators/load-demo-providers.ts";
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
  access: endConsentsAccess,
  timeoutS: 300,
});

export const handler = consume(contract, async ({ message, log }, deps) => {
  const unreached = await endConsents(
    { ...deps, demoProviders: loadDemoProviders },
    TeamScope.grant(message.team_id),
    message.user_id,
    log,
  );
  if (unreached > 0) throw new Error("a provider is unreachable; the state machine retries");
  return {};
});
