import type { ErrorHelp } from "../../../lib/contract/error-help.ts";
import { errorTable, gatewayErrorTable } from "../../../lib/contract/error-table.ts";
import { linkErrorHelp } from "../../../lib/domain/connections/link/link-error-help.ts";
import { rejectionHelp } from "../../../lib/domain/ingest/rejection-help.ts";

const INTRODUCTION = `# Errors

This page lists every code of an error, with its cause and what helps. It is for developers who call the API.

Every error response has the same body:

\`\`\`json
{
  "detail": [{ "loc": ["body", "provider"], "msg": "Invalid option: expected one of …", "type": "invalid_value" }],
  "code": "validation_failed",
  "request_id": "7d5c6c1e-8f0e-4bd4-9c1a-0d5c6d0d3c11"
}
\`\`\`

- \`code\` is stable. Programs decide by it, and by the HTTP status.
- \`detail\` is for people: a sentence, a list of places, or an object. Its words can change.
- In a list of places, \`loc\` is the path of a value in the request, and \`msg\` says what the service expects there. No
  message repeats a value that you sent, because it may be personal data.
- \`request_id\` identifies the request. Successful responses have it in the header \`x-request-id\`.

If you report a problem, quote the \`request_id\` and the time. Whoever operates the deployment finds the log lines of the
request by it, for example with this query of CloudWatch Logs Insights:

\`\`\`text
fields @timestamp, operation, message | filter request_id = "7d5c6c1e-8f0e-4bd4-9c1a-0d5c6d0d3c11"
\`\`\`

A client sends a request again only after 429, 500 and 503. Every other error stays until the request or the state changes.

\`npm test -- test/conventions/interface/errors-page.test.ts -u\` writes this page from the tables in \`lib/\`.
`;

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const helpRows = (help: Readonly<Record<string, ErrorHelp>>) =>
  Object.entries(help).map(([code, { cause, remedy }]) => [`\`${code}\``, cause, remedy]);

/** The page docs/errors.md, generated from the tables of codes. */
export function errorsPage(): string {
  const codes = Object.entries({ ...gatewayErrorTable, ...errorTable }).map(([code, { status, cause, remedy }]) => [
    String(status),
    `\`${code}\``,
    cause,
    remedy,
  ]);
  return [
    INTRODUCTION,
    `## Codes\n\n${table(["Status", "`code`", "Cause", "Remedy"], codes)}\n`,
    "## Refused connections\n\nThe `error_type` of a failed connection, in a response with the code `link_refused` or in the query of the redirect\n([linking.md](linking.md)).\n",
    `${table(["`error_type`", "Cause", "Remedy"], helpRows(linkErrorHelp))}\n`,
    "## Rejected records\n\nThe `reason` of an entry in `rejected`, in the response to a batch and in its receipt ([ingestion.md](ingestion.md#receipts)).\nIf a batch has no valid record, the response has the status 422 and the reason as `type`.\n",
    `${table(["`reason`", "Cause", "Remedy"], helpRows(rejectionHelp))}\n`,
  ].join("\n");
}
