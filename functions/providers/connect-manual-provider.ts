import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields, successResponse } from "../../lib/contract/shared-schemas.ts";
import { manualProvider } from "../../lib/domain/connections/providers/phone-providers.ts";
import { LinkRefused, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import {
  connectPhoneProvider,
  connectPhoneProviderAccess,
} from "../../lib/services/connections/phones/connect-phone-provider.ts";

/** Connects a user to a provider on the phone, or to `manual`, for a team whose app has the user's consent. */
export const contract = endpoint({
  operationId: "connectManualProvider",
  method: "POST",
  path: "/v2/link/provider/manual/{provider}",
  tag: "providers",
  summary: "Connect a provider on the phone",
  description: [
    "Connects a user to a provider that needs no login: a health store or a Bluetooth device of the phone, or `manual`.",
    "Call it when the user has allowed your app to read the data.",
    "The provider then appears among the connections of the user, and the event `provider.connection.created` follows.",
    "",
    "A repeated request changes nothing and sends no event.",
    "`provider_id` is the provider's id of the user; another id replaces the connection.",
    "If the team rejects duplicate connections, an id that belongs to another user is refused with 400.",
    "Data of a phone connects its provider too, so this call is for providers that have sent nothing yet.",
  ],
  auth: "team",
  keyScope: "link",
  params: z.object({ provider: manualProvider }),
  query: noFields,
  body: z.object({
    user_id: z.guid().toLowerCase(),
    provider_id: z.string().trim().min(1).max(320).nullish().meta({ description: "The provider's id of the user" }),
  }),
  response: successResponse,
  errors: [UserNotFound, LinkRefused],
  access: connectPhoneProviderAccess,
});

export const handler = implement(contract, async (caller, deps) => {
  const { user_id, provider_id } = caller.body;
  const account = { provider: caller.params.provider, accountId: provider_id ?? undefined };
  await connectPhoneProvider(deps, caller, user_id, account);
  return { success: true };
});
