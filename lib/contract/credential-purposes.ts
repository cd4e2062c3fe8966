/** What is sealed under the key of credentials, by the `purpose` of its encryption context. */
export const credentialPurposes = [
  "connection",
  "custom_credentials",
  "destination",
  "provider_login",
  "bulk_import",
] as const;
