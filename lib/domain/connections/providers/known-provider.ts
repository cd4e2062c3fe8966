import * as z from "zod";
import { providers } from "./providers.ts";

/** Slug of a known provider, for requests. Responses use an open enum. */
export const knownProvider = z.enum(providers.map((provider) => provider.slug)).meta({ id: "ProviderSlug" });

/** Slug of an OAuth provider. */
export const oauthProvider = z.enum(providers.filter(({ authType }) => authType === "oauth").map(({ slug }) => slug));
