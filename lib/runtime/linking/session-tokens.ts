import { makeSessionToken, type SessionName } from "../../crypto/opaque-token.ts";
import { ACCESS_MS, endsOf, type Session } from "../../domain/linking/session.ts";
import { ports } from "../ports.ts";

/** A session with new tokens: what is kept of it, and what its phone is told once. @param createdAt ISO 8601. */
export function newSession(of: SessionName & Pick<Session, "key_id">, createdAt: string) {
  const { team_id, user_id, session_id, key_id } = of;
  const { clock, ids } = ports();
  const name = { team_id, user_id, session_id };
  const access = makeSessionToken("sa", name, ids.bytes);
  const refresh = makeSessionToken("sr", name, ids.bytes);
  const hashes = { access_sha256: access.sha256, refresh_sha256: refresh.sha256 };
  const maker = key_id === undefined ? {} : { key_id };
  const session: Session = { ...name, ...maker, created_at: createdAt, ...hashes, ...endsOf(clock.now()) };
  const tokens = { access_token: access.token, refresh_token: refresh.token };
  return { session, wire: { ...tokens, expires_in: ACCESS_MS / 1000, user_id } };
}
