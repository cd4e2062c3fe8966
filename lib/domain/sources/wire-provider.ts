import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { summaryNames } from "../summaries/summary-names.ts";
import { timeseriesResources } from "../timeseries/resources.ts";
import { supportedResources } from "./provider-resources.ts";
import type { Provider } from "./providers.ts";
import { logoUrl } from "./source.ts";

/** What data can be of, by the names that events have for it, as known today (spec, Provider). */
export const resourceName = openEnum([
  ...summaryNames.map(({ name }) => name),
  ...timeseriesResources.map(({ eventName }) => eventName),
  ...["workout_stream", "sleep_stream", "connection", "device", "order", "result", "match_review", "appointment"],
]);

/** A provider that users can connect, as the list answers it (spec, Provider). */
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

/** The answer for a provider. @param baseUrl address of the API without a slash at its end. */
export function toWireProvider(provider: Provider, baseUrl: string): z.output<typeof wireProvider> {
  const { slug, name, description, authType } = provider;
  const logo = logoUrl(slug, baseUrl);
  return { name, slug, description, logo, auth_type: authType, supported_resources: supportedResources(provider) };
}
