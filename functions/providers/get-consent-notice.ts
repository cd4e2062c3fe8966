import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { consentNotice } from "../../lib/domain/connections/consents/consent-notice.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { LinkRefused } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { composeCurrentNotice, showNoticeAccess } from "../../lib/services/connections/consents/show-notice.ts";

export const contract = endpoint({
  operationId: "getConsentNotice",
  method: "GET",
  path: "/v2/link/notice/{provider}",
  tag: "providers",
  summary: "Retrieve the words that a user reads before a connection",
  description: [
    "Returns what the user agrees to: which data the team receives, for which purpose, and how to end it.",
    "The team sets `consent_purpose` and `privacy_policy_url` in its settings.",
    "Show `text` as it is, and send its `sha256` as `notice_sha256` with the request that connects the provider.",
    "The receipt of the consent then contains these words.",
  ],
  auth: "link",
  params: z.object({ provider: knownProvider }),
  query: noFields,
  response: consentNotice,
  errors: [LinkRefused],
  access: showNoticeAccess,
});

export const handler = implement(contract, (caller, deps) =>
  composeCurrentNotice(deps, caller, caller.params.provider),
);
