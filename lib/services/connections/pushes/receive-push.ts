import * as z from "zod";
import type { Connector, Push, PushDescription, PushRequest, PushResponse } from "../../../connectors/connector.ts";
import { findConnector } from "../../../connectors/connectors.ts";
import { getItem, getSecretValue, grants, queryItems, sendMessage } from "../../../contract/access.ts";
import { changedPulls } from "../../../contract/queues.ts";
import { connectionCredentials, providerAccounts, providerApps } from "../../../contract/resources.ts";
import type { ChangedData } from "../../../domain/connections/pulls/changed-data.ts";
import { parseJson } from "../../../domain/shared/json.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { MalformedBody, NotFound, Unauthorized } from "../../../runtime/errors.ts";
import type { Log } from "../../../runtime/log.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import { TeamScope } from "../../../store/team-scope.ts";
import { type EndConsentDependencies, endConsentAccess, endConsentItems } from "../consents/end-consent.ts";
import { failConnection, failConnectionAccess } from "../fail-connection.ts";
import {
  listPushApps,
  type ProviderApp,
  type ProviderAppDependencies,
  teamAppAccess,
} from "../providers/provider-app.ts";
import { providerFetch } from "../providers/provider-fetch.ts";
import {
  type AcceptPulledBatchDependencies,
  acceptPulledBatch,
  acceptPulledBatchAccess,
} from "../pulls/accept-pulled-batch.ts";
import { observeResponses } from "../pulls/pull-batches.ts";
import { type KeepPayloadsDependencies, keepPayloadsAccess } from "../raw-payloads/payload-keeper.ts";
import { PushKeeper } from "../raw-payloads/push-keeper.ts";

export type ReceivePushDependencies = ProviderAppDependencies &
  AcceptPulledBatchDependencies &
  KeepPayloadsDependencies &
  EndConsentDependencies &
  Dependencies<"users" | "outbox" | "connectionCredentials" | "providerAccounts" | "changedPulls" | "commit">;

/** Grants of {@link receivePush}. */
export const receivePushAccess = grants(
  failConnectionAccess,
  [queryItems(providerAccounts), getItem(connectionCredentials)],
  teamAppAccess,
  [getSecretValue(providerApps), sendMessage(changedPulls)],
  acceptPulledBatchAccess,
  keepPayloadsAccess,
  endConsentAccess,
);

/** The target of a push URL. */
export interface PushTarget {
  readonly provider: string;
  /** Team with its own application; undefined for the application of the deployment. */
  readonly teamId: string | undefined;
}

/** Answers the challenge of a provider that verifies a push URL. @throws NotFound for any other request. */
export async function answerChallenge(
  deps: ProviderAppDependencies,
  { provider, teamId }: PushTarget,
  request: PushRequest,
) {
  const { push } = await requirePushConnector(provider);
  const answer = firstAnswer(push, request, await listPushApps(deps, provider, teamId));
  if (!answer) throw new NotFound("This is not a challenge of the provider.");
  return answer;
}

/**
 * Receives a push: queues pulls of changed data, accepts included data, and fails revoked connections. Affects only
 * connections of the application whose secret verifies the push. Ignores accounts without a connection.
 * @throws NotFound for a provider without pushes; Unauthorized for an unverified push; MalformedBody.
 */
export async function receivePush(
  deps: ReceivePushDependencies,
  { provider, teamId }: PushTarget,
  request: PushRequest,
  log: Log,
): Promise<PushResponse> {
  const { connector, push } = await requirePushConnector(provider);
  const apps = await listPushApps(deps, provider, teamId);
  const answer = firstAnswer(push, request, apps);
  if (answer) return answer;
  const app = apps.find((one) => push.verify(request, one, ports().clock.now()));
  const isProven = app !== undefined && ((await push.verifySignature?.(request, providerFetch)) ?? true);
  if (!isProven) throw new Unauthorized("The push is not verified as coming from the provider.");
  const kept = new PushKeeper(deps, push, request, log);
  for (const one of parsePushes(push, request, observeResponses(log, { provider }))) {
    for await (const connected of findPushedConnections(deps, connector, app, teamId, one))
      await applyPush(deps, connected, one, kept, log);
  }
  await kept.finish();
  return { status: 200 };
}

async function requirePushConnector(provider: string): Promise<{ connector: Connector; push: PushDescription }> {
  const connector = await findConnector(provider);
  if (!connector?.push) throw new NotFound("This provider sends no pushes.");
  return { connector, push: connector.push };
}

function firstAnswer({ answerChallenge: answer }: PushDescription, request: PushRequest, apps: readonly ProviderApp[]) {
  for (const app of apps) {
    const given = answer?.(request, app);
    if (given) return given;
  }
  return undefined;
}

function parsePushes(
  push: PushDescription,
  request: PushRequest,
  { onDropped, onResponse }: ReturnType<typeof observeResponses>,
): readonly Push[] {
  try {
    const pushes = push.parse(request, onDropped);
    // A form is no JSON, and has no members to compare.
    onResponse(parseJson(request.body), "push");
    return pushes;
  } catch (cause) {
    if (cause instanceof z.ZodError || cause instanceof SyntaxError) {
      throw new MalformedBody("The body is not a valid push of the provider.", { cause });
    }
    throw cause;
  }
}

/** Finds the working connections to an account that use an application. */
async function* findPushedConnections(
  deps: ReceivePushDependencies,
  connector: Connector,
  { clientId }: ProviderApp,
  onlyTeam: string | undefined,
  { accountId }: Push,
) {
  const { slug: provider } = connector;
  for (const { teamId, userIds } of await deps.providerAccounts.listConnectedUsers({ provider, accountId })) {
    if (onlyTeam !== undefined && teamId !== onlyTeam) continue;
    const scope = TeamScope.grant(teamId);
    for (const userId of userIds) {
      const user = await deps.users.get(scope, userId);
      const connection = user?.connections[provider];
      const credentials = await deps.connectionCredentials.get(scope, userId, provider);
      if (!user || connection?.status !== "connected" || connection.external_user_id !== accountId) continue;
      if (credentials?.client_id !== clientId) continue;
      yield { scope, user, connector, connectedOn: connection.created_on, scopes: credentials.scopes };
    }
  }
}

type PushedConnection = ReturnType<typeof findPushedConnections> extends AsyncGenerator<infer One> ? One : never;

async function applyPush(
  deps: ReceivePushDependencies,
  { scope, user, connector, connectedOn, scopes }: PushedConnection,
  push: Push,
  kept: PushKeeper,
  log: Log,
) {
  const { slug: provider, resources } = connector;
  const userId = user.user_id;
  if (push.isRevoked) {
    const error_message = "The user has revoked access at the provider.";
    const failure = { error_type: "deregistered_per_provider", error_message } as const;
    const end = { state: "withdrawn", by: "user", at: isoNow() } as const;
    return failConnection(deps, scope, { userId, provider, connectedOn }, failure, (current) =>
      endConsentItems(deps, scope, current, provider, end),
    );
  }
  if (push.batch) {
    const keeping = await kept.open({ scope, user, connector, log });
    const receivedAt = ports().clock.now();
    const taken = { user, provider, stage: "daily", pushed: true, receivedAt, log, ...keeping } as const;
    await acceptPulledBatch(deps, scope, taken, push.batch);
  }
  if (!push.changed) return;
  const { resource, ...what } = push.changed;
  const known = resources.find(({ name }) => name === resource);
  if (!known?.scopes.every((scope) => scopes.includes(scope))) return;
  const name = { team_id: scope.teamId, user_id: userId, provider, resource, connected_on: connectedOn };
  await deps.changedPulls.send({ ...name, what } satisfies ChangedData);
}
