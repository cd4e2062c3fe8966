import { afterAll, beforeAll, expect, test } from "vitest";
import { readFhirReports } from "../../../../lib/labs/fhir/read-fhir-reports.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { placeOrder, simulateOrder } from "../orders/order-helpers.ts";
import { readFhir } from "./fhir-helpers.ts";

type Body = Answer["body"];

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** The interpretation of the ordinary API behind each code of HL7. */
const interpretations: Readonly<Record<string, string>> = {
  ...{ N: "normal", H: "abnormal", L: "abnormal", A: "abnormal", HH: "critical", LL: "critical", AA: "critical" },
  "": "unknown",
};

test.each(["normal", "abnormal", "critical"])(
  "the reader of laboratories' reports reads the %s results that FHIR shows as the API returns them",
  { tags: "deep" },
  async (interpretation) => {
    const userId = await service.createUser(`whose ${interpretation} results return`);
    const order = await placeOrder(service, userId);
    await simulateOrder(service, order.id, "", {
      interpretation,
      result_types: ["numeric", "range", "comment", "coded_value"],
    });
    const types = "Patient,DiagnosticReport,Observation,Specimen,ServiceRequest";
    const bundle = await readFhir(service, `/Patient/${userId}/$everything?_type=${types}&_count=1000`);
    const [report] = readFhirReports(JSON.stringify(bundle.body), "round trip");
    const { results, metadata } = (await service.call("GET", `/v3/order/${order.id}/result`)).body;
    expect(results.length).toBeGreaterThan(0);
    expect(Date.parse(report?.collected_at ?? "")).toBe(Date.parse(metadata.date_collected));
    expect(report).toMatchObject({ status: "final", laboratory_name: metadata.laboratory });
    const back = report?.observations.map(({ loinc, name, value, unit, flag, reference_range }) => ({
      ...{ loinc, name, value, unit, reference_range, interpretation: interpretations[flag] },
    }));
    expect(back).toEqual(
      results.map(({ loinc, name, result, unit, reference_range, interpretation: own }: Body) => ({
        ...{ loinc, name, value: result, unit, reference_range, interpretation: own },
      })),
    );
  },
);
