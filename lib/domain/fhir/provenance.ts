import { findProvider } from "../connections/providers/providers.ts";
import type { FhirResource, Observation, Reference } from "./resources.ts";
import { systems } from "./systems.ts";

const agentType = (code: string) => ({ coding: [{ system: systems.provenanceAgent, code }] });

/**
 * The Provenance of an Observation: when the service received it, from which provider, by which device. It has the id of
 * the Observation. Undefined for a result of an order, whose DiagnosticReport says who performed it.
 */
export function toProvenance({ id, meta, device }: Observation): FhirResource | undefined {
  const provider = meta?.source?.slice(`${systems.provider}:`.length);
  if (!provider || !meta?.lastUpdated) return undefined;
  const who: Reference = {
    type: "Organization",
    identifier: { system: systems.provider, value: provider },
    display: findProvider(provider)?.name ?? provider,
  };
  const app = meta.tag?.find(({ system }) => system === systems.appId)?.code;
  const resource = {
    resourceType: "Provenance" as const,
    id,
    meta: { lastUpdated: meta.lastUpdated, source: `${systems.provider}:${provider}` },
    target: [{ reference: `Observation/${id}`, type: "Observation" }],
    recorded: meta.lastUpdated,
    agent: [
      { type: agentType("author"), who },
      ...(app === undefined ? [] : [{ type: agentType("assembler"), who: toApp(app) }]),
      ...(device ? [{ type: agentType("performer"), who: device }] : []),
    ],
  };
  return resource;
}

const toApp = (value: string): Reference => ({ type: "Device", identifier: { system: systems.appId, value } });
