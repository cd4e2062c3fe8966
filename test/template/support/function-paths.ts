import { contracts } from "../../../functions/index.ts";
import type { Grant } from "../../../lib/contract/access.ts";
import { isOptional } from "../../../lib/contract/consumer.ts";

type Contract = (typeof contracts)[number];

/** The stack of a function, without the name of the app as prefix. */
function stackOf(contract: Contract): string {
  if (contract.kind === "endpoint") return `Api-${contract.tag}`;
  return contract.trigger.kind === "task" ? "Deletion" : "Consumers";
}

/** Stack and id of a function. */
export const functionPath = (contract: Contract): string => `${stackOf(contract)}/${contract.operationId}`;

/** The functions of a deployment with forwarding rules and a lake, and without functions of settings. */
export const deployedContracts = contracts.filter(
  (contract) => contract.kind === "endpoint" || contract.trigger.kind !== "setting",
);

/** Functions that every deployment has. */
const usualContracts = contracts.filter((contract) => contract.kind === "endpoint" || !isOptional(contract.trigger));

/** Consumers by the kind of their trigger that every deployment has. */
export const consumersBy = (...kinds: readonly string[]): Contract[] =>
  usualContracts.filter((contract) => contract.kind === "consumer" && kinds.includes(contract.trigger.kind));

/** Functions with a grant, of those that every deployment has. */
export const contractsWith = (isSought: (grant: Grant) => boolean): Contract[] =>
  usualContracts.filter(({ access }: { readonly access: readonly Grant[] }) => access.some(isSought));
