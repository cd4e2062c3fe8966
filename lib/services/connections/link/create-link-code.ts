import type * as z from "zod";
import { sha256 } from "../../../crypto/api-key.ts";
import type { signInToken } from "../../../domain/connections/link/session.ts";
import { teamKeyPrefix } from "../../../domain/management/records.ts";
import { deployment } from "../../../runtime/deployment.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import { baseUrl } from "../../../runtime/wire-source.ts";
import type { OneTimeTokenStore } from "../../../store/connections/one-time-tokens.ts";
import type { TeamScope } from "../../../store/team-scope.ts";

type SignIn = Pick<z.output<typeof signInToken>, "user_id" | "key_id" | "providers">;

/** Creates a sign-in token that is short enough for a QR code or a link. @param endsAt ISO 8601. */
export async function createLinkCode(
  signInTokens: OneTimeTokenStore<typeof signInToken>,
  scope: TeamScope,
  signIn: SignIn,
  endsAt: string,
) {
  const { environment, region } = deployment();
  const code = `${teamKeyPrefix(environment, region).replace("_", "")}${ports().ids.bytes(16).toString("hex")}`;
  await signInTokens.create(sha256(code), {
    team_id: scope.teamId,
    ...signIn,
    made_at: isoNow(),
    ends_at: endsAt,
  });
  return { code, exchange_url: `${baseUrl()}/v2/sdk/session?code=${code}`, expires_at: endsAt };
}
