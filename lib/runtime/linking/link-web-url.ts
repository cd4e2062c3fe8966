import { baseUrl } from "../wire-source.ts";

/** The page on which a user links a provider by this token. */
export const linkWebUrl = (token: string): string => `${baseUrl()}/v2/link/web?token=${token}`;
