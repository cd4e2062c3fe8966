import type * as z from "zod";
import { generateDataKey, grants, putItem } from "../../../contract/access.ts";
import { credentialsKey, loginAttempts } from "../../../contract/resources.ts";
import { sha256 } from "../../../crypto/api-key.ts";
import { LINK_ATTEMPT_TTL_MS, loginEncryptionContext } from "../../../domain/connections/link/link-attempt.ts";
import { LinkFailed, withLinkOutcome } from "../../../domain/connections/link/link-errors.ts";
import type { LoginOutcome, PendingLogin, ProviderLogin } from "../../../domain/connections/link/provider-login.ts";
import type { wireProviderLink } from "../../../domain/connections/link/wire-link-source.ts";
import { findProvider, type ProviderAuthType } from "../../../domain/connections/providers/providers.ts";
import type { LinkCaller } from "../../../runtime/callers/authenticate-link.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { LinkRefused, NotPossible } from "../../../runtime/errors.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import { type ConnectAccountDependencies, connectAccount, connectAccountAccess } from "../connect-account.ts";
import { composeNoticeOf, requireNotice } from "../consents/require-notice.ts";

/** Dependencies of a login that can connect the account. */
export type LoginDependencies = ConnectAccountDependencies;

export type ProviderLoginDependencies = Dependencies<"loginAttempts" | "credentials">;

/** The digest of the words that the page of the login has shown. */
interface ShownWords {
  readonly notice_sha256?: string | null | undefined;
}

type LinkAnswer = z.output<typeof wireProviderLink>;

/** Requires the login interface of a provider. @throws LinkRefused for another kind of provider; NotPossible. */
export function requireProviderLogin(
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

/** Grants of {@link loginByEmail} and {@link completeLogin}. */
export const loginAccess = connectAccountAccess;

/** Grants of {@link loginByPassword}. */
export const passwordLoginAccess = grants(
  loginAccess,
  putItem(loginAttempts),
  generateDataKey(credentialsKey, "connection", "provider_login"),
);

/** Logs a user in by name and password: connects the account, or stores the login until its MFA code. */
export async function loginByPassword(
  deps: LoginDependencies & ProviderLoginDependencies,
  caller: LinkCaller,
  provider: string,
  credentials: Parameters<ProviderLogin["byPassword"]>[1] & ShownWords,
  login: ProviderLogin | undefined,
): Promise<LinkAnswer> {
  const outcome = await requireProviderLogin(provider, "password", login).byPassword(provider, credentials);
  if (outcome.state === "pending") return storePendingLogin(deps, caller, provider, outcome);
  return completeLogin(deps, caller, provider, outcome, credentials);
}

/** Logs a user in by email address, and connects the account. */
export async function loginByEmail(
  deps: LoginDependencies,
  caller: LinkCaller,
  provider: string,
  credentials: Parameters<ProviderLogin["byEmail"]>[1] & ShownWords,
  login: ProviderLogin | undefined,
): Promise<LinkAnswer> {
  const outcome = await requireProviderLogin(provider, "email", login).byEmail(provider, credentials);
  return completeLogin(deps, caller, provider, outcome, credentials);
}

const emptyAnswer = { redirect_url: null, error_type: null, error: null, provider_mfa: null, provider_id: null };

/** Connects the account of a successful login, and returns the outcome. */
export async function completeLogin(
  deps: LoginDependencies,
  caller: LinkCaller,
  provider: string,
  outcome: LoginOutcome,
  { notice_sha256 }: ShownWords,
): Promise<LinkAnswer> {
  try {
    if (outcome.state === "failed") throw new LinkFailed(outcome.type, outcome.message);
    const { accountId } = outcome;
    const shown = { sha256: notice_sha256, at: ["body", "notice_sha256"] };
    const notice = await requireNotice(() => composeNoticeOf(caller, provider, []), shown);
    await connectAccount(deps, caller, { provider, accountId }, { notice, requested: [], granted: [] });
    const redirect_url = nextUrl(caller, "success");
    return { ...emptyAnswer, state: "success", redirect_url, provider, connected: true, provider_id: accountId };
  } catch (failed) {
    if (!(failed instanceof LinkFailed)) throw failed;
    const redirect_url = nextUrl(caller, failed);
    const error = { error_type: failed.type, error: failed.message };
    return { ...emptyAnswer, ...error, state: "error", redirect_url, provider, connected: false };
  }
}

const nextUrl = ({ token }: LinkCaller, outcome: LinkFailed | "success") =>
  token.redirect_url === null ? null : withLinkOutcome(token.redirect_url, outcome);

/** A link token has at most one pending login per provider. */
const loginAttemptId = ({ tokenHash }: LinkCaller, provider: string) => sha256(`${tokenHash}/${provider}`);

/** Stores a login until the user enters the MFA code, and returns the pending state. */
async function storePendingLogin(
  deps: ProviderLoginDependencies,
  caller: LinkCaller,
  provider: string,
  { method, hint, challenge }: PendingLogin,
): Promise<LinkAnswer> {
  const name = loginAttemptId(caller, provider);
  const { teamId } = caller.scope;
  await deps.loginAttempts.replace(name, {
    team_id: teamId,
    user_id: caller.token.user_id,
    ends_at: new Date(ports().clock.now() + LINK_ATTEMPT_TTL_MS).toISOString(),
    sealed: await deps.credentials.encrypt(challenge, loginEncryptionContext(teamId, name)),
  });
  return { ...emptyAnswer, state: "pending_provider_mfa", provider, provider_mfa: { method, hint }, connected: false };
}

/** Opens the challenge of a pending login. @throws LinkRefused without a pending login. */
export async function openPendingLogin(
  deps: ProviderLoginDependencies,
  caller: LinkCaller,
  provider: string,
): Promise<string> {
  const name = loginAttemptId(caller, provider);
  const waiting = await deps.loginAttempts.get(name);
  if (!waiting || waiting.ends_at <= isoNow()) {
    throw new LinkRefused("token_not_validated", "No login at this provider is waiting for a code.");
  }
  return deps.credentials.decrypt(waiting.sealed, loginEncryptionContext(caller.scope.teamId, name));
}
