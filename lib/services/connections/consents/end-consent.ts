import { getItem, grants, putItem } from "../../../contract/access.ts";
import { consents, outbox } from "../../../contract/resources.ts";
import { consentIdOf } from "../../../crypto/consent-receipt.ts";
import type { Consent } from "../../../domain/connections/consents/consent.ts";
import { type ConsentEnd, withConsentEnd } from "../../../domain/connections/consents/consent-record.ts";
import { listConnections, type UserRecord } from "../../../domain/users/user.ts";
import { consentEvent } from "../../../events/constructors/connection-events.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import type { WriteItem } from "../../../store/transaction.ts";
import { signConsent, signConsentAccess } from "./sign-consent.ts";

export type EndConsentDependencies = Dependencies<"consents" | "consentKeys" | "credentials">;

/** Grants of {@link endAllConsentsItems}. */
export const endAllConsentsAccess = grants([getItem(consents), putItem(consents)], signConsentAccess);

/** Grants of {@link endConsentItems}. */
export const endConsentAccess = grants(endAllConsentsAccess, putItem(outbox));

/**
 * Plans the writes that end the consent behind a connection and record its event; none for a connection without a
 * consent. The receipt is signed anew, with the end.
 */
export async function endConsentItems(
  deps: EndConsentDependencies & Dependencies<"outbox">,
  scope: TeamScope,
  user: UserRecord,
  provider: string,
  end: ConsentEnd,
): Promise<WriteItem[]> {
  const ended = await composeEndedConsent(deps, scope, user, provider, end);
  if (!ended) return [];
  return [deps.consents.endItem(scope, user.user_id, ended), deps.outbox.appendItem(consentEvent(user, ended), end.at)];
}

/** Plans the writes that end the consents behind all connections of a user who is deleted. No event follows. */
export async function endAllConsentsItems(
  deps: EndConsentDependencies,
  scope: TeamScope,
  user: UserRecord,
  end: ConsentEnd,
): Promise<WriteItem[]> {
  const items: WriteItem[] = [];
  for (const [provider] of listConnections(user)) {
    const ended = await composeEndedConsent(deps, scope, user, provider, end);
    if (ended) items.push(deps.consents.endItem(scope, user.user_id, ended));
  }
  return items;
}

async function composeEndedConsent(
  deps: EndConsentDependencies,
  scope: TeamScope,
  user: UserRecord,
  provider: string,
  end: ConsentEnd,
): Promise<Consent | undefined> {
  const connection = user.connections[provider];
  if (!connection) return undefined;
  const consentId = consentIdOf({ user_id: user.user_id, provider }, connection.created_on);
  const given = await deps.consents.get(scope, user.user_id, consentId);
  const key = given?.state === "given" ? await deps.consentKeys.get(scope) : undefined;
  if (!given || !key) return undefined;
  const record = withConsentEnd(given.record, scope.teamId, end);
  const receipt = await signConsent(deps, scope, record, key);
  return { ...given, state: end.state, ended_at: end.at, ended_by: end.by, record, receipt };
}
