/** The description of the API as a whole, in Markdown: what a caller needs before the first operation. */
export const introduction = `Tributary collects health data from wearables, phones and laboratories. It returns the data through one API and as one
stream of signed events.

## First steps

1. Create a user with \`POST /v2/user\`, with your own id of that person as \`client_user_id\`.
2. Send data with \`POST /v2/ingest/{user_id}\`, or let the user connect a provider with \`POST /v2/link/token\`.
3. Receive the events as webhooks, or read them with \`GET /v2/events\`.
4. Read samples with \`GET /v2/timeseries/{user_id}/{resource}/grouped\` and summaries with \`GET /v2/summary/{name}/{user_id}\`.

## Credentials

A backend sends the key of its team in the header \`x-service-api-key\`. Management routes take a management key in
\`x-management-key\`. Phones and link pages use tokens that belong to one user and expire. Never ship a key of a team in an app.

## Errors

Every error has the same body: a stable \`code\` for programs, \`detail\` for people, and the \`request_id\` for a report.
A request can be sent again after 429, 500 and 503. All other errors stay until the request or the state changes.

## Time and pages

Instants are ISO 8601 with an offset, calendar dates are \`YYYY-MM-DD\` in the time zone of the user. A list that continues
returns \`next_cursor\`; send it as \`cursor\` to read on.`;
