import type { TestService } from "../../../support/service.ts";
import { listFreeSlots } from "../appointments/appointment-helpers.ts";
import { patientDetails } from "../orders/order-helpers.ts";
import {
  createLabKey,
  createLabSender,
  createOpenOrder,
  createOruMessage,
  requisitionOf,
} from "../results/result-helpers.ts";

/**
 * Calls every route of results and of unmatched results for the first team.
 * @param before runs before each request.
 * @returns the user of the results; one review still names the user.
 */
export async function callResultRoutes(service: TestService, before: () => Promise<unknown>): Promise<string> {
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    await before();
    const answer = await service.call(method, `/v3${path}`, { headers, ...(body === undefined ? {} : { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    await service.settle();
    return answer.body;
  };
  const user = await service.createUser("who has every result");
  await before();
  const send = createLabSender(service, await createLabKey(service));
  const report = async (wish: Parameters<typeof createOruMessage>[0]) => {
    await before();
    const { code } = await send(createOruMessage(wish));
    if (code !== "AA") throw new Error(`a report was answered by ${code}`);
  };
  const order = await createOpenOrder(service, user);
  const again = await ask("POST", `/order/${order.id}/recreate`, { update_reason: "INCORRECT_LAB" });
  await service.settle();
  await ask("POST", `/order/${again.order.id}/test?final_status=received.walk_in_test.requisition_created`);
  await bookAppointment(service, again.order, ask);
  // A report with an account number looks up the placement of its order, and completes its appointment.
  const message = createOruMessage({ control: "G1", requisition: requisitionOf(again.order) });
  await before();
  await send(message.replace("|F\r", "|F||||||||||1234567890\r"));
  for (const path of ["", "/metadata", "/pdf"]) await ask("GET", `/order/${again.order.id}/result${path}`);
  await ask("GET", `/order/${again.order.id}/tracking`);
  const transaction = `/order_transaction/${order.order_transaction.id}/result`;
  for (const path of ["", "/pdf"]) await ask("GET", `${transaction}${path}`);
  const last_name = "Elsewhere";
  const of = { patient_details: { ...patientDetails, last_name } };
  const replaced = await createOpenOrder(service, user, of);
  // The order of the answers is one of several in its transaction.
  const taken = await ask("POST", `/order/${replaced.id}/recreate`, { update_reason: "INCORRECT_LAB" });
  await ask("POST", `/order/${taken.order.id}/test?final_status=received.walk_in_test.requisition_created`);
  await bookAppointment(service, taken.order, ask);
  await report({ control: "G2", last_name });
  const { data } = await ask("GET", "/unmatched_result?search_input=elsewhere");
  await ask("GET", `/unmatched_result/${data[0].id}`);
  await ask("POST", `/unmatched_result/${data[0].id}/accept`, { order_id: taken.order.id });
  await report({ control: "G3", last_name: "Nobody" });
  const { data: others } = await ask("GET", "/unmatched_result?decision_code=no_match");
  await ask("POST", `/unmatched_result/${others[0].id}/resolve`, { action: "unsure" });
  await ask("GET", "/unmatched_result_test/case");
  // One report has a number and one has none; each is read again after processing.
  for (const name of ["match_completed", "match_demo", "match_demo"]) {
    const body = { case: name, order_source: "managed" };
    const { run_id } = await ask("POST", "/unmatched_result_test", body, { "x-idempotency-key": name });
    await ask("GET", `/unmatched_result_test/${run_id}`);
  }
  // Of two candidate users one is deleted, and the other keeps the review.
  const namesake = await service.createUser("a namesake");
  const shared = { patient_details: { ...patientDetails, last_name: "Shared" } };
  for (const owner of [user, namesake]) await createOpenOrder(service, owner, shared);
  await report({ control: "G4", last_name: "Shared" });
  const { data: open } = await ask("GET", "/unmatched_result?search_input=shared");
  await ask("POST", `/unmatched_result/${open[0].id}/resolve`, { action: "unsure" });
  const alone = { patient_details: { ...patientDetails, last_name: "Alone" } };
  await createOpenOrder(service, user, alone);
  await report({ control: "G5", last_name: "Alone" });
  await before();
  await createFirstUserByTest(service);
  return user;
}

/** Books the last of the free slots for an order. The clock of functions runs ahead here and passes the slots of today. */
async function bookAppointment(
  service: TestService,
  { id }: { readonly id: string },
  ask: (method: string, path: string, body: unknown) => Promise<unknown>,
): Promise<void> {
  const booking_key = (await listFreeSlots(service, "psc")).at(-1)?.booking_key;
  await ask("POST", `/order/${id}/psc/appointment/book`, { booking_key });
}

/** Runs a match test in a team without users, which creates a user and the team's key. */
async function createFirstUserByTest(service: TestService): Promise<void> {
  const { key } = await service.createTeam("Trying out");
  const call = async (method: string, path: string, body?: object) => {
    const headers = { "x-idempotency-key": "first" };
    const answer = await service.call(method, `/v3${path}`, { key, headers, ...(body ? { body } : {}) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    await service.settle();
    return answer.body;
  };
  const { data } = await call("GET", "/lab_test/lab_account?status=active");
  const { id: lab_account_id } = data.find(({ lab }: { lab: string }) => lab === "quest");
  const panel = { name: "Panel", description: "A panel", method: "walk_in_test", provider_ids: ["90101"] };
  await call("POST", "/lab_tests", { ...panel, lab_account_id });
  await call("POST", "/unmatched_result_test", { case: "match_demo", order_source: "managed" });
}
