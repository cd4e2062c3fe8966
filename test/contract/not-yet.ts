/** Methods of the public client whose route does not exist yet; the list only ever shrinks. */
export const notYet: readonly string[] = [
  "introspect.getUserResources",
  "introspect.getUserHistoricalPulls",
  "labReport.parserCreateJob",
  "labReport.parserGetJob",
  "link.listBulkOps",
  "link.bulkImport",
  "link.bulkTriggerHistoricalPull",
  "link.bulkExport",
  "link.bulkPause",
  "link.token",
  "link.codeCreate",
  "link.generateOauthLink",
  "link.connectPasswordProvider",
  "link.completePasswordProviderMfa",
  "link.connectEmailAuthProvider",
  "link.getAllProviders",
  "user.refresh",
  "user.getUserSignInToken",
];

/**
 * Those of them whose path looks like that of a route with a variable, which answers 422 because what stands in the
 * variable's place is no id.
 */
export const takenByVariable: readonly string[] = [];
