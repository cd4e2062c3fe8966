import type { ConsumerContract } from "../lib/contract/consumer.ts";
import type { EndpointContract } from "../lib/contract/endpoint.ts";
import { contract as getResultTableForContinuousQuery } from "./aggregation/get-result-table-for-continuous-query.ts";
import { contract as getSourcePriorities } from "./aggregation/get-source-priorities.ts";
import { contract as getTaskHistoryForContinuousQuery } from "./aggregation/get-task-history-for-continuous-query.ts";
import { contract as markChangedDays } from "./aggregation/mark-changed-days.ts";
import { contract as queryOne } from "./aggregation/query-one.ts";
import { contract as runContinuousQuery } from "./aggregation/run-continuous-query.ts";
import { contract as sweepContinuousQueries } from "./aggregation/sweep-continuous-queries.ts";
import { contract as updateSourcePriorities } from "./aggregation/update-source-priorities.ts";
import { contract as bookPhlebotomyAppointment } from "./appointments/book-phlebotomy-appointment.ts";
import { contract as bookPscAppointment } from "./appointments/book-psc-appointment.ts";
import { contract as cancelPhlebotomyAppointment } from "./appointments/cancel-phlebotomy-appointment.ts";
import { contract as cancelPscAppointment } from "./appointments/cancel-psc-appointment.ts";
import { contract as getPhlebotomyAppointment } from "./appointments/get-phlebotomy-appointment.ts";
import { contract as getPhlebotomyAppointmentAvailability } from "./appointments/get-phlebotomy-appointment-availability.ts";
import { contract as getPhlebotomyAppointmentCancellationReason } from "./appointments/get-phlebotomy-appointment-cancellation-reason.ts";
import { contract as getPscAppointment } from "./appointments/get-psc-appointment.ts";
import { contract as getPscAppointmentAvailability } from "./appointments/get-psc-appointment-availability.ts";
import { contract as getPscAppointmentCancellationReason } from "./appointments/get-psc-appointment-cancellation-reason.ts";
import { contract as requestPhlebotomyAppointment } from "./appointments/request-phlebotomy-appointment.ts";
import { contract as reschedulePhlebotomyAppointment } from "./appointments/reschedule-phlebotomy-appointment.ts";
import { contract as reschedulePscAppointment } from "./appointments/reschedule-psc-appointment.ts";
import { contract as sealAccessLog } from "./audit/seal-access-log.ts";
import { contract as convertCompendium } from "./compendium/convert-compendium.ts";
import { contract as searchCompendium } from "./compendium/search-compendium.ts";
import { contract as searchOrderableTests } from "./compendium/search-orderable-tests.ts";
import { contract as beginErasure } from "./deletion/begin-erasure.ts";
import { contract as endConsents } from "./deletion/end-consents.ts";
import { contract as eraseTeams } from "./deletion/erase-teams.ts";
import { contract as eraseUser } from "./deletion/erase-user.ts";
import { contract as sweepDeletions } from "./deletion/sweep-deletions.ts";
import { contract as listEvents } from "./events/list-events.ts";
import { contract as relayEvents } from "./events/relay-events.ts";
import { contract as sweepEvents } from "./events/sweep-events.ts";
import { contract as getExport } from "./exports/get-export.ts";
import { contract as runExport } from "./exports/run-export.ts";
import { contract as startExport } from "./exports/start-export.ts";
import { contract as forwardToBus } from "./forwarding/forward-to-bus.ts";
import { contract as forwardToKinesis } from "./forwarding/forward-to-kinesis.ts";
import { contract as forwardToQueue } from "./forwarding/forward-to-queue.ts";
import { contract as forwardToTeam } from "./forwarding/forward-to-team.ts";
import { contract as pullChanges } from "./history/pull-changes.ts";
import { contract as pullConnection } from "./history/pull-connection.ts";
import { contract as pullHistory } from "./history/pull-history.ts";
import { contract as runBulkStep } from "./history/run-bulk-step.ts";
import { contract as sweepPolls } from "./history/sweep-polls.ts";
import { contract as sweepPulls } from "./history/sweep-pulls.ts";
import { contract as getReceipt } from "./ingest/get-receipt.ts";
import { contract as ingestBatch } from "./ingest/ingest-batch.ts";
import { contract as storeBatch } from "./ingest/store-batch.ts";
import { contract as tellHistory } from "./ingest/tell-history.ts";
import { contract as createInsurance } from "./insurance/create-insurance.ts";
import { contract as createPayor } from "./insurance/create-payor.ts";
import { contract as getLatestInsurance } from "./insurance/get-latest-insurance.ts";
import { contract as searchDiagnosis } from "./insurance/search-diagnosis.ts";
import { contract as searchGetPayorInfo } from "./insurance/search-get-payor-info.ts";
import { contract as searchPayorInfo } from "./insurance/search-payor-info.ts";
import { contract as validateIcdCodes } from "./insurance/validate-icd-codes.ts";
import { contract as acceptReport } from "./lab-reports/accept-report.ts";
import { contract as createReportUpload } from "./lab-reports/create-report-upload.ts";
import { contract as createReviewLink } from "./lab-reports/create-review-link.ts";
import { contract as getReview } from "./lab-reports/get-review.ts";
import { contract as getReviewFile } from "./lab-reports/get-review-file.ts";
import { contract as getReviewPart } from "./lab-reports/get-review-part.ts";
import { contract as listReportResults } from "./lab-reports/list-report-results.ts";
import { contract as parseLabReport } from "./lab-reports/parse-lab-report.ts";
import { contract as parserCreateJob } from "./lab-reports/parser-create-job.ts";
import { contract as parserGetJob } from "./lab-reports/parser-get-job.ts";
import { contract as searchLoinc } from "./lab-reports/search-loinc.ts";
import { contract as startReportUpload } from "./lab-reports/start-report-upload.ts";
import { contract as sweepLabReports } from "./lab-reports/sweep-lab-reports.ts";
import { contract as createLabTest } from "./lab-tests/create-lab-test.ts";
import { contract as getLabTest } from "./lab-tests/get-lab-test.ts";
import { contract as getLabTestCollectionInstructionPdf } from "./lab-tests/get-lab-test-collection-instruction-pdf.ts";
import { contract as getLabs } from "./lab-tests/get-labs.ts";
import { contract as getMarkers } from "./lab-tests/get-markers.ts";
import { contract as getMarkersByLabAndProviderId } from "./lab-tests/get-markers-by-lab-and-provider-id.ts";
import { contract as getMarkersForLabTest } from "./lab-tests/get-markers-for-lab-test.ts";
import { contract as getMarkersForOrderSet } from "./lab-tests/get-markers-for-order-set.ts";
import { contract as getPaginatedLabTests } from "./lab-tests/get-paginated-lab-tests.ts";
import { contract as getTeamLabAccounts } from "./lab-tests/get-team-lab-accounts.ts";
import { contract as listLabTests } from "./lab-tests/list-lab-tests.ts";
import { contract as updateLabTest } from "./lab-tests/update-lab-test.ts";
import { contract as answerPushChallenge } from "./link/answer-push-challenge.ts";
import { contract as beginOauthLink } from "./link/begin-oauth-link.ts";
import { contract as bulkExport } from "./link/bulk-export.ts";
import { contract as bulkImport } from "./link/bulk-import.ts";
import { contract as bulkPause } from "./link/bulk-pause.ts";
import { contract as bulkTriggerHistoricalPull } from "./link/bulk-trigger-historical-pull.ts";
import { contract as checkPushAddress } from "./link/check-push-address.ts";
import { contract as completePasswordProviderMfa } from "./link/complete-password-provider-mfa.ts";
import { contract as connectDemoProvider } from "./link/connect-demo-provider.ts";
import { contract as connectEmailAuthProvider } from "./link/connect-email-auth-provider.ts";
import { contract as connectPasswordProvider } from "./link/connect-password-provider.ts";
import { contract as createLinkCode } from "./link/create-link-code.ts";
import { contract as createLinkToken } from "./link/create-link-token.ts";
import { contract as createPhoneCode } from "./link/create-phone-code.ts";
import { contract as finishOauthLink } from "./link/finish-oauth-link.ts";
import { contract as generateOauthLink } from "./link/generate-oauth-link.ts";
import { contract as getAllProviders } from "./link/get-all-providers.ts";
import { contract as getLinkFile } from "./link/get-link-file.ts";
import { contract as getLinkPage } from "./link/get-link-page.ts";
import { contract as getLinkToken } from "./link/get-link-token.ts";
import { contract as listBulkOps } from "./link/list-bulk-ops.ts";
import { contract as receiveProviderPush } from "./link/receive-provider-push.ts";
import { contract as createTeam } from "./management/create-team.ts";
import { contract as deleteTeam } from "./management/delete-team.ts";
import { contract as deleteTeamEtlPipeline } from "./management/delete-team-etl-pipeline.ts";
import { contract as getOrg } from "./management/get-org.ts";
import { contract as getTeam } from "./management/get-team.ts";
import { contract as getTeamLimits } from "./management/get-team-limits.ts";
import { contract as getUsage } from "./management/get-usage.ts";
import { contract as listAccessLog } from "./management/list-access-log.ts";
import { contract as listAuditLog } from "./management/list-audit-log.ts";
import { contract as listTeamEtlPipelines } from "./management/list-team-etl-pipelines.ts";
import { contract as listTeams } from "./management/list-teams.ts";
import { contract as resolveTeam } from "./management/resolve-team.ts";
import { contract as setTeamEtlPipeline } from "./management/set-team-etl-pipeline.ts";
import { contract as setTeamLimits } from "./management/set-team-limits.ts";
import { contract as undoDeleteTeam } from "./management/undo-delete-team.ts";
import { contract as updateOrg } from "./management/update-org.ts";
import { contract as updateTeam } from "./management/update-team.ts";
import { contract as createApiAccessToken } from "./management-keys/create-api-access-token.ts";
import { contract as createManagementKey } from "./management-keys/create-management-key.ts";
import { contract as createTeamApiKey } from "./management-keys/create-team-api-key.ts";
import { contract as deleteManagementKey } from "./management-keys/delete-management-key.ts";
import { contract as deleteTeamApiKeys } from "./management-keys/delete-team-api-keys.ts";
import { contract as listManagementKeys } from "./management-keys/list-management-keys.ts";
import { contract as listTeamApiKeys } from "./management-keys/list-team-api-keys.ts";
import { contract as revokeCredentials } from "./management-keys/revoke-credentials.ts";
import { contract as updateManagementKey } from "./management-keys/update-management-key.ts";
import { contract as createLabAccount } from "./management-labs/create-lab-account.ts";
import { contract as getLabAccount } from "./management-labs/get-lab-account.ts";
import { contract as listLabAccounts } from "./management-labs/list-lab-accounts.ts";
import { contract as updateLabAccount } from "./management-labs/update-lab-account.ts";
import { contract as deleteCustomCredentials } from "./management-providers/delete-custom-credentials.ts";
import { contract as deleteDataPullPreferences } from "./management-providers/delete-data-pull-preferences.ts";
import { contract as getScopeRequirements } from "./management-providers/get-scope-requirements.ts";
import { contract as listCustomCredentials } from "./management-providers/list-custom-credentials.ts";
import { contract as listDataPullPreferences } from "./management-providers/list-data-pull-preferences.ts";
import { contract as prepareCustomCredentials } from "./management-providers/prepare-custom-credentials.ts";
import { contract as setCustomCredentials } from "./management-providers/set-custom-credentials.ts";
import { contract as setDataPullPreferences } from "./management-providers/set-data-pull-preferences.ts";
import { contract as setScopeRequirements } from "./management-providers/set-scope-requirements.ts";
import { contract as archiveContinuousQuery } from "./management-queries/archive-continuous-query.ts";
import { contract as createContinuousQuery } from "./management-queries/create-continuous-query.ts";
import { contract as getContinuousQuery } from "./management-queries/get-continuous-query.ts";
import { contract as listContinuousQueries } from "./management-queries/list-continuous-queries.ts";
import { contract as updateContinuousQuery } from "./management-queries/update-continuous-query.ts";
import { contract as validateContinuousQuery } from "./management-queries/validate-continuous-query.ts";
import { contract as createWebhook } from "./management-webhooks/create-webhook.ts";
import { contract as deleteWebhook } from "./management-webhooks/delete-webhook.ts";
import { contract as getEventDeliveryMetric } from "./management-webhooks/get-event-delivery-metric.ts";
import { contract as getWebhook } from "./management-webhooks/get-webhook.ts";
import { contract as getWebhookHeaders } from "./management-webhooks/get-webhook-headers.ts";
import { contract as getWebhookSecret } from "./management-webhooks/get-webhook-secret.ts";
import { contract as getWebhookTask } from "./management-webhooks/get-webhook-task.ts";
import { contract as listWebhookAttempts } from "./management-webhooks/list-webhook-attempts.ts";
import { contract as listWebhookMessages } from "./management-webhooks/list-webhook-messages.ts";
import { contract as listWebhooks } from "./management-webhooks/list-webhooks.ts";
import { contract as recoverWebhook } from "./management-webhooks/recover-webhook.ts";
import { contract as replayMissingWebhook } from "./management-webhooks/replay-missing-webhook.ts";
import { contract as resendWebhookMessage } from "./management-webhooks/resend-webhook-message.ts";
import { contract as rotateWebhookSecret } from "./management-webhooks/rotate-webhook-secret.ts";
import { contract as setWebhookHeaders } from "./management-webhooks/set-webhook-headers.ts";
import { contract as testWebhook } from "./management-webhooks/test-webhook.ts";
import { contract as updateWebhook } from "./management-webhooks/update-webhook.ts";
import { contract as getLabelsPdf } from "./order-documents/get-labels-pdf.ts";
import { contract as getOrderAbnPdf } from "./order-documents/get-order-abn-pdf.ts";
import { contract as getOrderCollectionInstructionPdf } from "./order-documents/get-order-collection-instruction-pdf.ts";
import { contract as getOrderRequistionPdf } from "./order-documents/get-order-requistion-pdf.ts";
import { contract as cancelOrder } from "./orders/cancel-order.ts";
import { contract as createOrder } from "./orders/create-order.ts";
import { contract as createTestkitOrder } from "./orders/create-testkit-order.ts";
import { contract as doLabWork } from "./orders/do-lab-work.ts";
import { contract as getOrder } from "./orders/get-order.ts";
import { contract as getOrderPscInfo } from "./orders/get-order-psc-info.ts";
import { contract as getOrders } from "./orders/get-orders.ts";
import { contract as getTransaction } from "./orders/get-transaction.ts";
import { contract as importOrder } from "./orders/import-order.ts";
import { contract as recreateOrder } from "./orders/recreate-order.ts";
import { contract as redrawOrder } from "./orders/redraw-order.ts";
import { contract as registerTestkit } from "./orders/register-testkit.ts";
import { contract as resendEvents } from "./orders/resend-events.ts";
import { contract as simulateOrderProcess } from "./orders/simulate-order-process.ts";
import { contract as sweepLabWork } from "./orders/sweep-lab-work.ts";
import { contract as updateOnSiteCollectionOrderDrawCompleted } from "./orders/update-on-site-collection-order-draw-completed.ts";
import { contract as updateOrder } from "./orders/update-order.ts";
import { contract as getAreaInfo } from "./places/get-area-info.ts";
import { contract as getPscInfo } from "./places/get-psc-info.ts";
import { contract as getPortalFile } from "./portal/get-portal-file.ts";
import { contract as getSvixUrl } from "./portal/get-svix-url.ts";
import { contract as getUserPortal } from "./portal/get-user-portal.ts";
import { contract as listPortalAttempts } from "./portal/list-portal-attempts.ts";
import { contract as listPortalMessages } from "./portal/list-portal-messages.ts";
import { contract as listPortalWebhooks } from "./portal/list-portal-webhooks.ts";
import { contract as resendPortalMessage } from "./portal/resend-portal-message.ts";
import { contract as testPortalWebhook } from "./portal/test-portal-webhook.ts";
import { contract as deregisterProvider } from "./providers/deregister-provider.ts";
import { contract as getConnectedProviders } from "./providers/get-connected-providers.ts";
import { contract as getProviderLogo } from "./providers/get-provider-logo.ts";
import { contract as getUserHistoricalPulls } from "./providers/get-user-historical-pulls.ts";
import { contract as getUserResources } from "./providers/get-user-resources.ts";
import { contract as listProviders } from "./providers/list-providers.ts";
import { contract as getResultMetadata } from "./results/get-result-metadata.ts";
import { contract as getResultPdf } from "./results/get-result-pdf.ts";
import { contract as getResultRaw } from "./results/get-result-raw.ts";
import { contract as getTransactionResult } from "./results/get-transaction-result.ts";
import { contract as getTransactionResultPdf } from "./results/get-transaction-result-pdf.ts";
import { contract as receiveResult } from "./results/receive-result.ts";
import { contract as createSession } from "./sdk/create-session.ts";
import { contract as refreshSession } from "./sdk/refresh-session.ts";
import { contract as revokeSession } from "./sdk/revoke-session.ts";
import { contract as syncBatch } from "./sdk/sync-batch.ts";
import { contract as getOpenApi } from "./service/get-open-api.ts";
import { contract as refuseUnknownRoute } from "./service/refuse-unknown-route.ts";
import { contract as getActivity } from "./summaries/get-activity.ts";
import { contract as getBody } from "./summaries/get-body.ts";
import { contract as getDevice } from "./summaries/get-device.ts";
import { contract as getDevices } from "./summaries/get-devices.ts";
import { contract as getDevicesRaw } from "./summaries/get-devices-raw.ts";
import { contract as getElectrocardiogram } from "./summaries/get-electrocardiogram.ts";
import { contract as getMeal } from "./summaries/get-meal.ts";
import { contract as getMenstrualCycle } from "./summaries/get-menstrual-cycle.ts";
import { contract as getProfile } from "./summaries/get-profile.ts";
import { contract as getProfileRaw } from "./summaries/get-profile-raw.ts";
import { contract as getSleep } from "./summaries/get-sleep.ts";
import { contract as getSleepCycle } from "./summaries/get-sleep-cycle.ts";
import { contract as getSummariesRaw } from "./summaries/get-summaries-raw.ts";
import { contract as getWorkouts } from "./summaries/get-workouts.ts";
import { contract as getCallingTeam } from "./team/get-calling-team.ts";
import { contract as getPhysicians } from "./team/get-physicians.ts";
import { contract as getUserById } from "./team/get-user-by-id.ts";
import { contract as getCholesterol } from "./timeseries/get-cholesterol.ts";
import { contract as getGroupedTimeseries } from "./timeseries/get-grouped-timeseries.ts";
import { contract as getStreamBySleepId } from "./timeseries/get-stream-by-sleep-id.ts";
import { contract as getStreamByWorkoutId } from "./timeseries/get-stream-by-workout-id.ts";
import { contract as getTimeseries } from "./timeseries/get-timeseries.ts";
import { contract as acceptUnmatchedResult } from "./unmatched-results/accept-unmatched-result.ts";
import { contract as createUnmatchedResultTest } from "./unmatched-results/create-unmatched-result-test.ts";
import { contract as getUnmatchedResult } from "./unmatched-results/get-unmatched-result.ts";
import { contract as getUnmatchedResultTest } from "./unmatched-results/get-unmatched-result-test.ts";
import { contract as listUnmatchedResultTestCases } from "./unmatched-results/list-unmatched-result-test-cases.ts";
import { contract as listUnmatchedResults } from "./unmatched-results/list-unmatched-results.ts";
import { contract as resolveUnmatchedResult } from "./unmatched-results/resolve-unmatched-result.ts";
import { contract as runUnmatchedResultTest } from "./unmatched-results/run-unmatched-result-test.ts";
import { contract as createPortalUrl } from "./users/create-portal-url.ts";
import { contract as createUser } from "./users/create-user.ts";
import { contract as deleteUser } from "./users/delete-user.ts";
import { contract as getErasureCertificate } from "./users/get-erasure-certificate.ts";
import { contract as getLatestUserInfo } from "./users/get-latest-user-info.ts";
import { contract as getTeamMetrics } from "./users/get-team-metrics.ts";
import { contract as getUser } from "./users/get-user.ts";
import { contract as getUserByClientUserId } from "./users/get-user-by-client-user-id.ts";
import { contract as getUserSignInToken } from "./users/get-user-sign-in-token.ts";
import { contract as listUsers } from "./users/list-users.ts";
import { contract as patchUser } from "./users/patch-user.ts";
import { contract as refreshUser } from "./users/refresh-user.ts";
import { contract as undoDelete } from "./users/undo-delete.ts";
import { contract as upsertUserInfo } from "./users/upsert-user-info.ts";
import { contract as attemptDelivery } from "./webhooks/attempt-delivery.ts";
import { contract as planDeliveries } from "./webhooks/plan-deliveries.ts";
import { contract as runWebhookTask } from "./webhooks/run-webhook-task.ts";
import { contract as sweepDeliveries } from "./webhooks/sweep-deliveries.ts";

/** Every function of the service. Stacks, OpenAPI, bundles and tests derive from this list; a test proves it complete. */
export const contracts: readonly (EndpointContract | ConsumerContract)[] = [
  getResultTableForContinuousQuery,
  getSourcePriorities,
  getTaskHistoryForContinuousQuery,
  markChangedDays,
  queryOne,
  runContinuousQuery,
  sweepContinuousQueries,
  updateSourcePriorities,
  beginErasure,
  endConsents,
  eraseUser,
  eraseTeams,
  sweepDeletions,
  listEvents,
  relayEvents,
  sweepEvents,
  getExport,
  runExport,
  startExport,
  forwardToBus,
  forwardToKinesis,
  forwardToQueue,
  forwardToTeam,
  sealAccessLog,
  convertCompendium,
  searchCompendium,
  searchOrderableTests,
  createLabTest,
  getLabTest,
  getLabTestCollectionInstructionPdf,
  getLabs,
  getMarkers,
  getMarkersByLabAndProviderId,
  getMarkersForLabTest,
  getMarkersForOrderSet,
  getPaginatedLabTests,
  getTeamLabAccounts,
  listLabTests,
  updateLabTest,
  acceptReport,
  createReportUpload,
  createReviewLink,
  getReview,
  getReviewFile,
  getReviewPart,
  listReportResults,
  parseLabReport,
  parserCreateJob,
  parserGetJob,
  searchLoinc,
  startReportUpload,
  sweepLabReports,
  createLabAccount,
  getLabAccount,
  listLabAccounts,
  updateLabAccount,
  getReceipt,
  ingestBatch,
  storeBatch,
  tellHistory,
  pullHistory,
  pullChanges,
  sweepPulls,
  pullConnection,
  runBulkStep,
  sweepPolls,
  createInsurance,
  createPayor,
  getLatestInsurance,
  searchDiagnosis,
  searchGetPayorInfo,
  searchPayorInfo,
  validateIcdCodes,
  connectDemoProvider,
  completePasswordProviderMfa,
  connectEmailAuthProvider,
  connectPasswordProvider,
  createLinkCode,
  createLinkToken,
  createPhoneCode,
  beginOauthLink,
  finishOauthLink,
  generateOauthLink,
  answerPushChallenge,
  checkPushAddress,
  receiveProviderPush,
  getAllProviders,
  getLinkFile,
  getLinkPage,
  getLinkToken,
  bulkExport,
  bulkImport,
  bulkPause,
  bulkTriggerHistoricalPull,
  listBulkOps,
  createTeam,
  deleteTeamEtlPipeline,
  getTeamLimits,
  getUsage,
  listAccessLog,
  listAuditLog,
  listTeamEtlPipelines,
  listTeams,
  setTeamEtlPipeline,
  deleteTeam,
  getOrg,
  getTeam,
  resolveTeam,
  undoDeleteTeam,
  updateOrg,
  updateTeam,
  createApiAccessToken,
  createManagementKey,
  createTeamApiKey,
  deleteManagementKey,
  deleteTeamApiKeys,
  listManagementKeys,
  listTeamApiKeys,
  revokeCredentials,
  updateManagementKey,
  deleteCustomCredentials,
  deleteDataPullPreferences,
  getScopeRequirements,
  listCustomCredentials,
  listDataPullPreferences,
  prepareCustomCredentials,
  setCustomCredentials,
  setDataPullPreferences,
  setScopeRequirements,
  setTeamLimits,
  archiveContinuousQuery,
  createContinuousQuery,
  getContinuousQuery,
  listContinuousQueries,
  updateContinuousQuery,
  validateContinuousQuery,
  createWebhook,
  deleteWebhook,
  getEventDeliveryMetric,
  getWebhook,
  getWebhookHeaders,
  getWebhookSecret,
  listWebhooks,
  rotateWebhookSecret,
  setWebhookHeaders,
  updateWebhook,
  getWebhookTask,
  listWebhookAttempts,
  listWebhookMessages,
  recoverWebhook,
  replayMissingWebhook,
  resendWebhookMessage,
  testWebhook,
  getPortalFile,
  getSvixUrl,
  getUserPortal,
  listPortalAttempts,
  listPortalMessages,
  listPortalWebhooks,
  resendPortalMessage,
  testPortalWebhook,
  bookPhlebotomyAppointment,
  bookPscAppointment,
  cancelPhlebotomyAppointment,
  cancelPscAppointment,
  getPhlebotomyAppointmentAvailability,
  getPhlebotomyAppointmentCancellationReason,
  getPhlebotomyAppointment,
  getPscAppointmentAvailability,
  getPscAppointmentCancellationReason,
  getPscAppointment,
  requestPhlebotomyAppointment,
  reschedulePhlebotomyAppointment,
  reschedulePscAppointment,
  getLabelsPdf,
  getOrderAbnPdf,
  getOrderCollectionInstructionPdf,
  getOrderRequistionPdf,
  cancelOrder,
  createOrder,
  doLabWork,
  getOrder,
  getOrders,
  simulateOrderProcess,
  createTestkitOrder,
  getOrderPscInfo,
  getTransaction,
  importOrder,
  recreateOrder,
  redrawOrder,
  registerTestkit,
  resendEvents,
  updateOnSiteCollectionOrderDrawCompleted,
  updateOrder,
  sweepLabWork,
  getResultMetadata,
  getResultPdf,
  getResultRaw,
  getTransactionResult,
  getTransactionResultPdf,
  receiveResult,
  acceptUnmatchedResult,
  createUnmatchedResultTest,
  getUnmatchedResult,
  getUnmatchedResultTest,
  listUnmatchedResultTestCases,
  listUnmatchedResults,
  resolveUnmatchedResult,
  runUnmatchedResultTest,
  getAreaInfo,
  getPscInfo,
  deregisterProvider,
  getConnectedProviders,
  getUserHistoricalPulls,
  getUserResources,
  getProviderLogo,
  listProviders,
  createSession,
  refreshSession,
  revokeSession,
  syncBatch,
  getOpenApi,
  refuseUnknownRoute,
  getActivity,
  getBody,
  getDevice,
  getDevices,
  getDevicesRaw,
  getElectrocardiogram,
  getMeal,
  getMenstrualCycle,
  getProfile,
  getProfileRaw,
  getSleep,
  getSleepCycle,
  getSummariesRaw,
  getWorkouts,
  getCallingTeam,
  getPhysicians,
  getUserById,
  getCholesterol,
  getGroupedTimeseries,
  getStreamBySleepId,
  getStreamByWorkoutId,
  getTimeseries,
  createUser,
  createPortalUrl,
  deleteUser,
  getUserByClientUserId,
  getUserSignInToken,
  getUser,
  getErasureCertificate,
  getLatestUserInfo,
  getTeamMetrics,
  listUsers,
  patchUser,
  refreshUser,
  undoDelete,
  upsertUserInfo,
  attemptDelivery,
  planDeliveries,
  runWebhookTask,
  sweepDeliveries,
];

/** The routes among them. */
export const endpoints = contracts.filter((contract) => contract.kind === "endpoint");

/** The functions that are fed by queues, streams, schedules and state machines. */
export const consumers = contracts.filter((contract) => contract.kind === "consumer");
