/**
 * Scopes that restrict a team key or access token, with their descriptions. docs/management.md lists the routes of
 * each.
 */
export const keyScopes = {
  read: "read users, their data and computed results",
  ingest: "send user data, and request it from providers",
  link: "connect users to providers and phones, and disconnect them",
  labs: "manage lab tests, orders, appointments, insurance, results and lab reports",
  webhooks: "read events and manage webhook endpoints",
  users: "create, update and delete users, and set the source priorities of a team",
} as const;
export type KeyScope = keyof typeof keyScopes;
export const keyScopeNames = Object.keys(keyScopes) as [KeyScope, ...KeyScope[]];
