import type * as z from "zod";
import { sha256 } from "../crypto/api-key.ts";
import type { Envelopes } from "../crypto/envelope.ts";
import { ATTEMPT_MS, type loginAttempt, loginContext } from "../domain/linking/link-attempt.ts";
import { LinkFailed, outcomeUrl } from "../domain/linking/link-errors.ts";
import type { LoginOutcome, PendingLogin, ProviderLogin } from "../domain/linking/provider-login.ts";
import type { wireProviderLink } from "../domain/linking/wire-link-source.ts";
import { findProvider, type ProviderAuthType } from "../domain/sources/providers.ts";
import { LinkRefused, NotPossible } from "../runtime/errors.ts";
import type { LinkCaller } from "../runtime/linking/authenticate-link.ts";
import { isoNow, ports } from "../runtime/ports.ts";
import type { OneTimeTokenStore } from "../store/linking/one-time-tokens.ts";
import { type ConnectingUses, connect } from "./connecting.ts";

export interface WaitingUses {
  readonly loginAttempts: OneTimeTokenStore<typeof loginAttempt>;
  readonly credentials: Envelopes;
}

type Answered = z.output<typeof wireProviderLink>;

/** Requires the login interface of a provider. @throws LinkRefused for another kind of provider; NotPossible. */
export function requireLogin(
  provider: string,
  kind: ProviderAuthType,
  login: ProviderLogin | undefined,
): ProviderLogin {
  if (findProvider(provider)?.authType !== kind) {
    throw new LinkRefused("INVALID_PROVIDER", `This provider is not connected by ${kind}.`);
  }
  if (!login) throw new NotPossible("This provider is not configured: it has no public interface.");
  return login;
}

const nothing = { redirect_url: null, error_type: null, error: null, provider_mfa: null, provider_id: null };

/** Connects the account of a successful login, and returns the outcome. */
export async function afterLogin(
  uses: ConnectingUses,
  caller: LinkCaller,
  provider: string,
  outcome: LoginOutcome,
): Promise<Answered> {
  try {
    if (outcome.state === "failed") throw new LinkFailed(outcome.type, outcome.message);
    const { accountId } = outcome;
    await connect(uses, caller, { provider, accountId });
    const redirect_url = goOn(caller, "success");
    return { ...nothing, state: "success", redirect_url, provider, connected: true, provider_id: accountId };
  } catch (failed) {
    if (!(failed instanceof LinkFailed)) throw failed;
    const redirect_url = goOn(caller, failed);
    const error = { error_type: failed.type, error: failed.message };
    return { ...nothing, ...error, state: "error", redirect_url, provider, connected: false };
  }
}

const goOn = ({ token }: LinkCaller, outcome: LinkFailed | "success") =>
  token.redirect_url === null ? null : outcomeUrl(token.redirect_url, outcome);

/** A link token has at most one pending login per provider. */
const nameOf = ({ tokenHash }: LinkCaller, provider: string) => sha256(`${tokenHash}/${provider}`);

/** Stores a login until the user enters the MFA code, and returns the pending state. */
export async function keepLogin(
  uses: WaitingUses,
  caller: LinkCaller,
  provider: string,
  { method, hint, challenge }: PendingLogin,
): Promise<Answered> {
  const name = nameOf(caller, provider);
  const { teamId } = caller.scope;
  await uses.loginAttempts.replace(name, {
    team_id: teamId,
    user_id: caller.token.user_id,
    ends_at: new Date(ports().clock.now() + ATTEMPT_MS).toISOString(),
    sealed: await uses.credentials.seal(challenge, loginContext(teamId, name)),
  });
  return { ...nothing, state: "pending_provider_mfa", provider, provider_mfa: { method, hint }, connected: false };
}

/** Opens the challenge of a pending login. @throws LinkRefused without a pending login. */
export async function waitingLogin(uses: WaitingUses, caller: LinkCaller, provider: string): Promise<string> {
  const name = nameOf(caller, provider);
  const waiting = await uses.loginAttempts.get(name);
  if (!waiting || waiting.ends_at <= isoNow()) {
    throw new LinkRefused("token_not_validated", "No login at this provider is waiting for a code.");
  }
  return uses.credentials.open(waiting.sealed, loginContext(caller.scope.teamId, name));
}
