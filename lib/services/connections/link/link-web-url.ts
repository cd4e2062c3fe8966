import { baseUrl } from "../../../runtime/wire-source.ts";

/** URL of the page on which the user of this link token connects a provider. */
export const linkWebUrl = (token: string): string => `${baseUrl()}/v2/link/web?token=${token}`;

/** URL of the same page as the default redirect target after a link. */
export const linkOutcomeUrl = (): string => `${baseUrl()}/v2/link/web`;

/** URL at which a browser starts OAuth with this ticket. */
export const oauthStartUrl = (provider: string, ticket: string): string =>
  `${baseUrl()}/v2/link/authorize/${provider}?ticket=${ticket}`;
