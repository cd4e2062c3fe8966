import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { drawProviderLogo } from "../../lib/domain/connections/providers/provider-logo.ts";
import { providers, sourceId } from "../../lib/domain/connections/providers/providers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getProviderLogo",
  method: "GET",
  path: "/logos/{file}",
  tag: "providers",
  summary: "Retrieve the logo of a provider",
  description: [
    "Returns the logo of a provider as SVG, to which the `logo` of each source links.",
    "Caches may keep it for a day.",
  ],
  auth: "none",
  params: z.object({ file: z.string().max(100).meta({ description: "Slug of the provider followed by .svg" }) }),
  query: noFields,
  response: z.string().meta({ description: "SVG", mediaType: "image/svg+xml" }),
  errors: [NotFound],
  access: [],
});

const headers = { "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" };

export const handler = implement(contract, async ({ params }) => {
  const provider = providers.find(({ slug }) => params.file === `${slug}.svg`);
  if (!provider) throw new NotFound("There is no provider with this slug.");
  return new Answer(drawProviderLogo(provider, sourceId(provider.slug)), { headers });
});
