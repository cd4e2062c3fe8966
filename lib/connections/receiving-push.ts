import * as z from "zod";
import type { Connector, Push, PushAnswer, PushDescription, PushRequest } from "../connectors/connector.ts";
import { findConnector } from "../connectors/connectors.ts";
import type { ChangedData } from "../domain/linking/changed-data.ts";
import { MalformedBody, NotFound, Unauthorized } from "../runtime/errors.ts";
import type { Log } from "../runtime/log.ts";
import { ports } from "../runtime/ports.ts";
import type { Queue } from "../runtime/queue.ts";
import type { ConnectionCredentialStore } from "../store/linking/connection-credentials.ts";
import type { ProviderAccountStore } from "../store/linking/provider-accounts.ts";
import type { OutboxStore } from "../store/outbox.ts";
import { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";
import { failConnection } from "./failing.ts";
import { type AppUses, type ProviderApp, pushedApps } from "./provider-app.ts";
import { providerFetch } from "./provider-fetch.ts";
import { type TakingUses, takeBatch } from "./taking-batch.ts";

export interface ReceivingUses extends AppUses, TakingUses {
  readonly users: UserStore;
  readonly outbox: OutboxStore;
  readonly connectionCredentials: ConnectionCredentialStore;
  readonly providerAccounts: ProviderAccountStore;
  readonly changedPulls: Queue;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** The target of a push URL. */
export interface PushTarget {
  readonly provider: string;
  /** Team with its own application; undefined for the application of the deployment. */
  readonly teamId: string | undefined;
}

/** Answers the challenge of a provider that verifies a push URL. @throws NotFound for any other request. */
export async function answerChallenge(uses: AppUses, { provider, teamId }: PushTarget, request: PushRequest) {
  const { push } = await pushingConnector(provider);
  const answer = firstAnswer(push, request, await pushedApps(uses, provider, teamId));
  if (!answer) throw new NotFound("This is not a challenge of the provider.");
  return answer;
}

/**
 * Receives a push: queues pulls of changed data, accepts included data, and fails revoked connections. Affects only
 * connections of the application whose secret verifies the push. Ignores accounts without a connection.
 * @throws NotFound for a provider without pushes; Unauthorized for an unverified push; MalformedBody.
 */
export async function receivePush(
  uses: ReceivingUses,
  { provider, teamId }: PushTarget,
  request: PushRequest,
  log: Log,
): Promise<PushAnswer> {
  const { connector, push } = await pushingConnector(provider);
  const apps = await pushedApps(uses, provider, teamId);
  const answer = firstAnswer(push, request, apps);
  if (answer) return answer;
  const app = apps.find((one) => push.verify(request, one, ports().clock.now()));
  const isProven = app !== undefined && ((await push.prove?.(request, providerFetch)) ?? true);
  if (!isProven) throw new Unauthorized("The push is not verified as coming from the provider.");
  for (const one of parsed(push, request)) {
    for await (const connected of connectionsOf(uses, connector, app, teamId, one))
      await follow(uses, connected, one, log);
  }
  return { status: 200 };
}

async function pushingConnector(provider: string): Promise<{ connector: Connector; push: PushDescription }> {
  const connector = await findConnector(provider);
  if (!connector?.push) throw new NotFound("This provider sends no pushes.");
  return { connector, push: connector.push };
}

function firstAnswer({ answer }: PushDescription, request: PushRequest, apps: readonly ProviderApp[]) {
  for (const app of apps) {
    const given = answer?.(request, app);
    if (given) return given;
  }
  return undefined;
}

function parsed(push: PushDescription, request: PushRequest): readonly Push[] {
  try {
    return push.parse(request);
  } catch (cause) {
    if (cause instanceof z.ZodError || cause instanceof SyntaxError) {
      throw new MalformedBody("The body is not a valid push of the provider.", { cause });
    }
    throw cause;
  }
}

/** Finds the working connections to an account that use an application. */
async function* connectionsOf(
  uses: ReceivingUses,
  connector: Connector,
  { clientId }: ProviderApp,
  onlyTeam: string | undefined,
  { accountId }: Push,
) {
  const { slug: provider } = connector;
  for (const { teamId, userIds } of await uses.providerAccounts.connected({ provider, accountId })) {
    if (onlyTeam !== undefined && teamId !== onlyTeam) continue;
    const scope = TeamScope.grant(teamId);
    for (const userId of userIds) {
      const user = await uses.users.get(scope, userId);
      const connection = user?.connections[provider];
      const credentials = await uses.connectionCredentials.get(scope, userId, provider);
      if (!user || connection?.status !== "connected" || connection.external_user_id !== accountId) continue;
      if (credentials?.client_id !== clientId) continue;
      yield { scope, user, connector, connectedOn: connection.created_on, scopes: credentials.scopes };
    }
  }
}

type PushedTo = ReturnType<typeof connectionsOf> extends AsyncGenerator<infer One> ? One : never;

async function follow(
  uses: ReceivingUses,
  { scope, user, connector, connectedOn, scopes }: PushedTo,
  push: Push,
  log: Log,
) {
  const { slug: provider, resources } = connector;
  const userId = user.user_id;
  if (push.isRevoked) {
    const error_message = "The user has revoked access at the provider.";
    const failure = { error_type: "deregistered_per_provider", error_message } as const;
    return failConnection(uses, scope, { userId, provider, connectedOn }, failure);
  }
  if (push.batch) {
    const taken = { user, provider, stage: "daily", receivedAt: ports().clock.now(), log } as const;
    await takeBatch(uses, scope, taken, push.batch);
  }
  if (!push.changed) return;
  const { resource, ...what } = push.changed;
  const known = resources.find(({ name }) => name === resource);
  if (!known?.scopes.every((scope) => scopes.includes(scope))) return;
  const name = { team_id: scope.teamId, user_id: userId, provider, resource, connected_on: connectedOn };
  await uses.changedPulls.send({ ...name, what } satisfies ChangedData);
}
