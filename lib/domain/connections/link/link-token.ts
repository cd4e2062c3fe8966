import * as z from "zod";
import { knownProvider } from "../providers/known-provider.ts";
import { oneTimeToken } from "./one-time-token.ts";

/** Time to live of a link token. */
const LINK_TOKEN_TTL_MS = 60 * 60 * 1000;

/** URL schemes that make a browser run or show content of the URL itself, or of the user's device. */
const HARMFUL_SCHEME = /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source|intent|content)$/;

/** Redirect target after a link: a page of the team, or a mobile app by its custom scheme. */
const redirectUrl = z
  .url()
  .max(2_083)
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, username, password } = new URL(text);
    return !HARMFUL_SCHEME.test(protocol.slice(0, -1)) && username === "" && password === "";
  }, "not a valid redirect target");

/** Request to create a link token. */
export const linkTokenDraft = z
  .object({
    user_id: z.guid().toLowerCase(),
    provider: knownProvider
      .nullish()
      .meta({ description: "The only provider that the token can connect; the web link skips the list of providers" }),
    redirect_url: redirectUrl
      .nullish()
      .meta({ description: "Redirect URL after the link; its query carries the outcome" }),
    filter_on_providers: z
      .array(knownProvider)
      .min(1)
      .max(200)
      .nullish()
      .meta({ description: "The only providers that the token can connect" }),
    on_error: z
      .literal("redirect")
      .nullish()
      .meta({ description: "Makes the widget redirect after a failed password or e-mail link" }),
    on_close: z.literal("redirect").nullish().meta({ description: "Makes the widget's Close button redirect" }),
  })
  .refine((draft) => draft.provider == null || isLinkable(draft, draft.provider), {
    path: ["provider"],
    message: "not among filter_on_providers",
  });

/** Link token, stored under its hash. Consumed by the first connection. */
export const linkToken = oneTimeToken.extend({
  provider: z.string().nullable(),
  redirect_url: z.string().nullable(),
  filter_on_providers: z.array(z.string()).nullable(),
  on_error: z.string().nullable(),
  on_close: z.string().nullable(),
});
export type LinkToken = z.output<typeof linkToken>;

/** Link token, as returned to its holder. */
export const wireLinkToken = linkToken
  .omit({ team_id: true, key_id: true, made_at: true, ends_at: true, used_at: true })
  .extend({
    expires_at: z.string(),
    team_name: z.string(),
    team_logo: z.string().nullable(),
    shown_providers: z.array(z.string()).describe("Providers that the link page shows"),
  })
  .meta({ id: "LinkToken" });

/** Creates a link token from a request. */
export function newLinkToken(
  draft: z.output<typeof linkTokenDraft>,
  by: { readonly teamId: string; readonly keyId: string },
  nowMs: number,
): LinkToken {
  const { user_id, provider = null, redirect_url = null, filter_on_providers = null } = draft;
  const { on_error = null, on_close = null } = draft;
  const ends_at = new Date(nowMs + LINK_TOKEN_TTL_MS).toISOString();
  const made = { key_id: by.keyId, made_at: new Date(nowMs).toISOString() };
  return {
    ...made,
    team_id: by.teamId,
    user_id,
    provider,
    redirect_url,
    filter_on_providers,
    on_error,
    on_close,
    ends_at,
  };
}

/** States of a link token: it can connect a provider, it has connected one, or it has expired. */
export const linkTokenStates = ["pending", "connected", "expired"] as const;
type LinkTokenState = (typeof linkTokenStates)[number];

/** State of a link token. @param now ISO 8601. */
export function linkTokenStateOf(
  { used_at, ends_at }: Pick<LinkToken, "used_at" | "ends_at">,
  now: string,
): LinkTokenState {
  if (used_at !== undefined) return "connected";
  return ends_at <= now ? "expired" : "pending";
}

/** Restriction of a link to providers. */
interface ProviderLimits {
  readonly provider?: string | null | undefined;
  readonly filter_on_providers?: readonly string[] | null | undefined;
}

/** Whether a link may connect this provider: `provider`, one of `filter_on_providers`, or any provider without both. */
export function isLinkable({ provider, filter_on_providers }: ProviderLimits, slug: string): boolean {
  return (provider ?? slug) === slug && (filter_on_providers?.includes(slug) ?? true);
}

/** Providers that a link allows; undefined for any. */
export function allowedProvidersOf({ provider, filter_on_providers }: ProviderLimits): readonly string[] | undefined {
  return provider == null ? (filter_on_providers ?? undefined) : [provider];
}
