/** Purposes of secrets encrypted under the credentials key, as the `purpose` of the encryption context. */
export const credentialPurposes = [
  "connection",
  "custom_credentials",
  "destination",
  "provider_login",
  "bulk_import",
  "consent_signing",
  "console_provider",
] as const;
