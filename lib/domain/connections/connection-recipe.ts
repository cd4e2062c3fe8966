import * as z from "zod";

/** Last second of the year 9999, epoch seconds: stands for access that does not expire. */
const NEVER_S = 253_402_300_799;
const MAX_TOKEN_LENGTH = 8_192;

const token = z.string().max(MAX_TOKEN_LENGTH);

/** Connection with its current credentials, for import and export. */
export const connectionRecipe = z
  .object({
    user_id: z.guid().toLowerCase(),
    access_token: token.min(1),
    refresh_token: token.describe("Empty if access cannot be refreshed"),
    provider_id: z.string().min(1).max(256).describe("The provider's id of the user"),
    expires_at: z.int().min(0).max(NEVER_S).describe("Epoch seconds; 253402300799 for access that does not expire"),
    oauth_scopes: z.array(z.string().max(256)).max(100).nullish(),
  })
  .meta({ id: "ConnectionRecipe" });
export type ConnectionRecipe = z.output<typeof connectionRecipe>;

/** Converts the expiry of access to ISO 8601; null for access that does not expire. */
export const toAccessEndsAt = ({ expires_at }: Pick<ConnectionRecipe, "expires_at">): string | null =>
  expires_at >= NEVER_S ? null : new Date(expires_at * 1000).toISOString();

/**
 * Converts the expiry of access to epoch seconds.
 * @param accessEndsAt ISO 8601; null for access that does not expire.
 */
export const toExpiresAt = (accessEndsAt: string | null): number =>
  accessEndsAt === null ? NEVER_S : Math.floor(Date.parse(accessEndsAt) / 1000);
