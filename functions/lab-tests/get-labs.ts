import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { labs, toWireLab } from "../../lib/domain/lab-tests/labs.ts";
import { wireLab } from "../../lib/domain/lab-tests/wire-lab-test.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Lists the laboratories of the catalogue. */
export const contract = endpoint({
  operationId: "getLabs",
  method: "GET",
  path: "/v3/lab_tests/labs",
  tag: "lab-tests",
  summary: "List labs",
  auth: "team",
  params: noFields,
  query: noFields,
  response: z.array(wireLab).meta({ id: "Labs" }),
  access: [],
});

export const handler = implement(contract, async () => labs.map(toWireLab));
