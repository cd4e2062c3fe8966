import { type ConsumerContract, deadLettersName } from "../../contract/consumer.ts";
import { Queue } from "../queue.ts";

/** The dead letters of one consumer; where they are follows from its wiring, so there is no grant to name them. */
export const make = (contract: ConsumerContract) => {
  const url = process.env[deadLettersName(contract)];
  if (!url) throw new Error(`the environment does not say where dead letters of ${contract.operationId} go`);
  return new Queue(url);
};
