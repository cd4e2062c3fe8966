import * as z from "zod";
import { openEnum } from "../../../contract/open-enum.ts";
import { summaryNames } from "../../summaries/summary-names.ts";
import { timeseriesResources } from "../../timeseries/resources.ts";
import { logoUrl } from "../sources/source.ts";
import { supportedResources } from "./provider-resources.ts";
import type { Provider } from "./providers.ts";

/** Known resources, by event name. */
const resourceName = openEnum([
  ...summaryNames.map(({ name }) => name),
  ...timeseriesResources.map(({ eventName }) => eventName),
  ...["workout_stream", "sleep_stream", "connection", "device", "order", "result", "match_review", "appointment"],
]);

/** Provider in the list of providers. */
export const wireProvider = z
  .object({
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    logo: z.string().nullable(),
    auth_type: openEnum(["oauth", "team_oauth", "sdk", "password", "email", "app"]).nullable(),
    supported_resources: z.array(resourceName),
  })
  .meta({ id: "Provider" });

/** Converts a provider. @param baseUrl URL of the API without a trailing slash. */
export function toWireProvider(provider: Provider, baseUrl: string): z.output<typeof wireProvider> {
  const { slug, name, description, authType } = provider;
  const logo = logoUrl(slug, baseUrl);
  return { name, slug, description, logo, auth_type: authType, supported_resources: supportedResources(provider) };
}
