import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { labs, toWireLab } from "../../lib/domain/lab-tests/labs.ts";
import { wireLab } from "../../lib/domain/lab-tests/wire-lab-test.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getLabs",
  method: "GET",
  path: "/v3/lab_tests/labs",
  tag: "lab-tests",
  summary: "List labs",
  description: [
    "Returns all laboratories of the catalogue, with the collection methods and sample types that each offers.",
    "The list is the same for all teams, and changes only with a new version of the service.",
    "It includes laboratories without markers, where no lab test can be created.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  response: z.array(wireLab).meta({ id: "Labs" }),
  access: [],
});

export const handler = implement(contract, async () => labs.map(toWireLab));
