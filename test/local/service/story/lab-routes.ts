import type { TestService } from "../../../support/service.ts";

const draft = { name: "Sugar", description: "Glucose in blood", method: "walk_in_test" };
const codes = { provider_ids: ["90101"], target_lab: "labcorp" };

/**
 * Calls every route of labs, lab accounts, lab tests and the compendium for the first team.
 * @param before runs before each request.
 */
export async function callLabRoutes(service: TestService, before: () => Promise<unknown>): Promise<void> {
  const ask = async (method: string, path: string, body?: unknown) => {
    await before();
    const isManagement = path.startsWith("/v1/");
    const options = body === undefined ? {} : { body };
    const answer = await (isManagement ? service.manage(method, path, options) : service.call(method, path, options));
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const accounts = (await ask("GET", "/v3/lab_test/lab_account?status=active")).data;
  const { id: account } = accounts.find(({ lab }: { lab: string }) => lab === "quest");
  const at = `lab_account_id=${account}`;
  await ask("GET", "/v3/lab_tests/labs");
  await ask("GET", `/v3/lab_tests/markers?${at}`);
  await ask("GET", `/v3/lab_tests/4/markers/90101?${at}`);
  const { id } = await ask("POST", "/v3/lab_tests", { ...draft, provider_ids: ["90101"], lab_account_id: account });
  await ask("PATCH", `/v3/lab_tests/${id}`, { name: "Blood sugar" });
  // Changing a default lab test copies it for the team.
  await ask("PATCH", "/v3/lab_tests/00000000-0000-4000-9000-000000000002", { name: "Our own" });
  await ask("GET", `/v3/lab_tests/${id}?${at}`);
  await ask("GET", `/v3/lab_tests/${id}/markers?${at}`);
  await ask("POST", "/v3/lab_tests/list_order_set_markers", { lab_test_ids: [id], lab_account_id: account });
  await ask("GET", `/v3/lab_tests?${at}`);
  await ask("GET", `/v3/lab_test?${at}`);
  await before();
  await service.call("GET", `/v3/lab_test/${id}/collection_instruction_pdf`);
  await ask("POST", "/v3/compendium/search", { mode: "canonical", query: "glucose" });
  await ask("POST", "/v3/compendium/search_orderable_tests", codes);
  await ask("POST", "/v3/compendium/convert", { lab_test_id: id, target_lab: "labcorp" });
  const path = `/v1/org/${service.identity.org_id}/lab_account/sandbox/us`;
  await ask("POST", path, {
    lab: "bioreference",
    provider_account_id: "2",
    team_id_allowlist: [service.identity.team_id],
  });
  await ask("GET", path);
  await ask("GET", `${path}/${account}`);
  await ask("PATCH", `${path}/${account}`, { team_id_allowlist: [service.identity.team_id] });
}
