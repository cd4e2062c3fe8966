import * as z from "zod";
import { knownProvider } from "../sources/providers.ts";
import { oneTime } from "./one-time.ts";

/** How long a link token is good for. */
export const LINK_TOKEN_MS = 60 * 60 * 1000;

/** Schemes by which a browser would run or show what the address itself holds, or what lies on the user's machine. */
const harmful = /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source|intent|content)$/;

/** Where users are sent afterwards: a page of the team's, or an app on the phone by its own scheme. */
const redirectUrl = z
  .url()
  .max(2_083)
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, username, password } = new URL(text);
    return !harmful.test(protocol.slice(0, -1)) && username === "" && password === "";
  }, "not an address that users can be sent to");

/** What a link token is asked for with (spec, Linking). */
export const linkTokenDraft = z
  .object({
    user_id: z.guid().toLowerCase(),
    provider: knownProvider
      .nullish()
      .meta({ description: "The only provider that can be connected with it; the web link goes straight there" }),
    redirect_url: redirectUrl
      .nullish()
      .meta({ description: "Where users are sent afterwards, the outcome in its query" }),
    filter_on_providers: z
      .array(knownProvider)
      .min(1)
      .max(200)
      .nullish()
      .meta({ description: "The only providers that can be connected with it" }),
    on_error: z
      .literal("redirect")
      .nullish()
      .meta({ description: "Has the widget redirect where a password or e-mail link failed" }),
    on_close: z.literal("redirect").nullish().meta({ description: "Has the widget's Close button redirect" }),
  })
  .refine((draft) => draft.provider == null || isLinkable(draft, draft.provider), {
    path: ["provider"],
    message: "not among filter_on_providers",
  });

/** A link token as stored under its hash; used once a connection came about. */
export const linkToken = oneTime.extend({
  provider: z.string().nullable(),
  redirect_url: z.string().nullable(),
  filter_on_providers: z.array(z.string()).nullable(),
  on_error: z.string().nullable(),
  on_close: z.string().nullable(),
});
export type LinkToken = z.output<typeof linkToken>;

/** A link token as its own holder may read it. */
export const wireLinkToken = linkToken
  .omit({ team_id: true, key_id: true, made_at: true, ends_at: true, used_at: true })
  .extend({
    expires_at: z.string(),
    team_name: z.string(),
    team_logo: z.string().nullable(),
    shown_providers: z.array(z.string()).describe("The providers that the link page shows"),
  })
  .meta({ id: "LinkToken" });

/** What a link token keeps of a draft. */
export function linkTokenOf(
  draft: z.output<typeof linkTokenDraft>,
  by: { readonly teamId: string; readonly keyId: string },
  nowMs: number,
): LinkToken {
  const { user_id, provider = null, redirect_url = null, filter_on_providers = null } = draft;
  const { on_error = null, on_close = null } = draft;
  const ends_at = new Date(nowMs + LINK_TOKEN_MS).toISOString();
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

/** What limits a link to providers. */
interface ProviderLimits {
  readonly provider?: string | null | undefined;
  readonly filter_on_providers?: readonly string[] | null | undefined;
}

/** Whether a link may connect this provider: the one that it names, one of its filter, or without both any. */
export function isLinkable({ provider, filter_on_providers }: ProviderLimits, slug: string): boolean {
  return (provider ?? slug) === slug && (filter_on_providers?.includes(slug) ?? true);
}

/** The providers that a link is limited to; undefined for any. */
export function limitsOf({ provider, filter_on_providers }: ProviderLimits): readonly string[] | undefined {
  return provider == null ? (filter_on_providers ?? undefined) : [provider];
}
