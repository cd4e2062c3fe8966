import type { UserRecord } from "../../users/user.ts";
import type { Session } from "./session.ts";

/** Key of the end of sessions without a limit on their providers. */
const ANY_PROVIDER = "any";

type SignIn = Pick<Session, "created_at" | "providers">;
type PhoneEnds = NonNullable<UserRecord["phone_ends"]>;

/** Whether a provider on the phone was disconnected after a sign-in. Its session then writes no data of it. */
export const isProviderEnded = ({ created_at }: SignIn, { phone_ends }: UserRecord, provider: string): boolean =>
  created_at <= (phone_ends?.[provider] ?? "");

/**
 * Whether a session has ended, because all its providers were disconnected after its sign-in. A session without a limit
 * ends with the last provider on the phone that is connected.
 */
export function isSessionEnded(session: SignIn, user: UserRecord): boolean {
  const providers = session.providers ?? [ANY_PROVIDER];
  return providers.length > 0 && providers.every((provider) => isProviderEnded(session, user, provider));
}

/**
 * Returns the ends after a provider on the phone is disconnected.
 * @param phones slugs of all providers on the phone. @param now ISO 8601.
 */
export function addPhoneEnd(user: UserRecord, provider: string, phones: readonly string[], now: string): PhoneEnds {
  const isLast = !phones.some((slug) => slug !== provider && user.connections[slug] !== undefined);
  return { ...user.phone_ends, [provider]: now, ...(isLast ? { [ANY_PROVIDER]: now } : {}) };
}

/** Returns the ends after the deletion of a user, which disconnects every phone. @param now ISO 8601. */
export const endAllPhones = (user: UserRecord, phones: readonly string[], now: string): PhoneEnds => ({
  ...user.phone_ends,
  ...Object.fromEntries([...phones, ANY_PROVIDER].map((slug) => [slug, now])),
});
