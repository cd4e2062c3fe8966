import { generateSessionToken, type SessionReference } from "../../../crypto/opaque-token.ts";
import { type Session, sessionExpiry } from "../../../domain/connections/link/session.ts";
import { ports } from "../../../runtime/ports.ts";

/**
 * Creates a session, or renews one, with new tokens and the same limits.
 * @param createdAt ISO 8601.
 * @returns the stored session with hashes of its tokens, and the wire tokens, which the phone receives only once.
 */
export function newSession(of: SessionReference & Pick<Session, "key_id" | "providers">, createdAt: string) {
  const { team_id, user_id, session_id, key_id, providers } = of;
  const { clock, ids } = ports();
  const name = { team_id, user_id, session_id };
  const access = generateSessionToken("sa", name, ids.bytes);
  const refresh = generateSessionToken("sr", name, ids.bytes);
  const hashes = { access_sha256: access.sha256, refresh_sha256: refresh.sha256 };
  const optional = { ...(key_id === undefined ? {} : { key_id }), ...(providers === undefined ? {} : { providers }) };
  const ends = sessionExpiry(createdAt, clock.now());
  const session: Session = { ...name, ...optional, created_at: createdAt, ...hashes, ...ends };
  const tokens = { access_token: access.token, refresh_token: refresh.token };
  const expires_in = Math.floor((Date.parse(ends.access_ends_at) - clock.now()) / 1000);
  return { session, wire: { ...tokens, expires_in, user_id } };
}
