/** OAuth client credentials, webhook secret and further keys of a provider application. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The secret that authenticates pushes, if it is not the client secret. */
  readonly pushSecret?: string | undefined;
  /** Keys that a provider demands beside the access token in requests for data, by name. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
}
