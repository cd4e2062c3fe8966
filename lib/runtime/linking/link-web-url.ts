import { baseUrl } from "../wire-source.ts";

/** The page on which a user links a provider by this token. */
export const linkWebUrl = (token: string): string => `${baseUrl()}/v2/link/web?token=${token}`;

/** The same page as the place where users go on whose team has named no other. */
export const linkOutcomeUrl = (): string => `${baseUrl()}/v2/link/web`;

/** Where the browser of a user begins OAuth by this ticket. */
export const oauthStartUrl = (provider: string, ticket: string): string =>
  `${baseUrl()}/v2/link/authorize/${provider}?ticket=${ticket}`;
