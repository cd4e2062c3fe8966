import type * as z from "zod";
import { supportedResources } from "./providers/provider-resources.ts";
import { findProvider } from "./providers/providers.ts";
import type { resourceAvailability } from "./wire-connection.ts";

type Availability = z.output<typeof resourceAvailability>;

/** A unit of a provider's data, the resources that it delivers and the scopes that it requires. */
interface ScopedData {
  readonly delivers: readonly string[];
  readonly scopes: readonly string[];
}

/** Scopes that a user granted, and the data of the provider that requires scopes. */
export interface ResourceGrant {
  readonly granted: readonly string[];
  readonly data: readonly ScopedData[];
}

/**
 * Availability of a provider's resources, by resource. A resource is unavailable if no data that delivers it has all its
 * scopes. Without a grant, for example of a phone, every resource is available.
 */
export function resourceAvailabilityOf(slug: string, grant?: ResourceGrant): Record<string, Availability> {
  const provider = findProvider(slug);
  const resources = provider ? supportedResources(provider) : [];
  return Object.fromEntries(resources.map((resource) => [resource, toAvailability(resource, grant)]));
}

function toAvailability(resource: string, grant: ResourceGrant | undefined): Availability {
  const sources = grant?.data.filter(({ delivers }) => delivers.includes(resource)) ?? [];
  const scopes = [...new Set(sources.flatMap((source) => source.scopes))];
  if (!grant || scopes.length === 0) return { status: "available", scope_requirements: null };
  const isGranted = (scope: string) => grant.granted.includes(scope);
  // A scope that only some of the sources require is optional: another source delivers the resource without it.
  const isRequired = (scope: string) => sources.every((source) => source.scopes.includes(scope));
  const split = (names: readonly string[]) => ({
    required: names.filter(isRequired),
    optional: names.filter((scope) => !isRequired(scope)),
  });
  return {
    status: sources.some((source) => source.scopes.every(isGranted)) ? "available" : "unavailable",
    scope_requirements: {
      user_granted: split(scopes.filter(isGranted)),
      user_denied: split(scopes.filter((scope) => !isGranted(scope))),
    },
  };
}
