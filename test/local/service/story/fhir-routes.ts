import type { TestService } from "../../../support/service.ts";

/** Reads a user's data by every route of the FHIR interface. */
export async function callFhirRoutes(
  service: TestService,
  forget: () => Promise<void>,
  userId: string,
  key: string,
): Promise<void> {
  const ask = async (path: string) => {
    await forget();
    return service.call("GET", `/fhir${path}`, { key });
  };
  await ask("/metadata");
  const { body } = await ask(`/Patient/${userId}`);
  await ask(`/Patient?identifier=${encodeURIComponent(body.identifier[0].value)}`);
  const found = await ask(`/Observation?patient=${userId}&code=cholesterol.ldl,activity.steps`);
  await ask(`/Observation/${found.body.entry[0].resource.id}`);
}
