import * as z from "zod";
import { AGENT_PATH } from "../../lib/contract/agent-tool.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keyScopeNames } from "../../lib/contract/key-scopes.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";
import { RESOURCE_METADATA_PATH } from "../../lib/services/agents/challenge.ts";

export const contract = endpoint({
  operationId: "getProtectedResource",
  method: "GET",
  path: RESOURCE_METADATA_PATH,
  aliases: ["/.well-known/oauth-protected-resource"],
  tag: "agents",
  summary: "Retrieve the metadata of the endpoint for agents",
  description: [
    "Returns the metadata of `POST /mcp` as a protected resource (RFC 9728), and needs no key.",
    "It names no authorization server: the management API creates API keys and access tokens.",
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  response: z
    .object({
      resource: z.string(),
      resource_name: z.string(),
      bearer_methods_supported: z.array(z.literal("header")),
      scopes_supported: z.array(z.enum(keyScopeNames)),
      resource_documentation: z.string(),
    })
    .meta({ id: "ProtectedResource" }),
  access: [],
});

export const handler = implement(contract, async () => ({
  resource: `${baseUrl()}${AGENT_PATH}`,
  resource_name: "Tributary",
  bearer_methods_supported: ["header" as const],
  scopes_supported: [...keyScopeNames],
  resource_documentation: `${baseUrl()}/docs`,
}));
