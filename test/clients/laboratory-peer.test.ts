import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requisitionNumber } from "../../lib/domain/orders/lab-partner.ts";
import { newOrder } from "../../lib/domain/orders/placement/new-order.ts";
import { toOrderPlacement } from "../../lib/domain/orders/placement/order-placement.ts";
import { writeOml } from "../../lib/labs/hl7/write-oml.ts";
import { receiveMessages } from "../../lib/labs/receive-messages.ts";
import { patientDetails } from "../local/service/orders/order-helpers.ts";
import { createLabKey, createLabSender, createOpenOrder } from "../local/service/results/result-helpers.ts";
import { TestService } from "../support/service.ts";
import { createDraft, createOrderContext, ORDERED_AT } from "../unit/orders/order-fixtures.ts";

const PYTHON = "node_modules/.cache/public-clients/python/bin/python";

/** Runs the laboratory of another library. @returns what it prints. */
function runPeer(words: readonly string[], input: string): string {
  const script = ["test/clients/laboratory_peer.py", ...words];
  const { status, stdout, stderr } = spawnSync(PYTHON, script, { input, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr.trim().split("\n").at(-1));
  return stdout;
}

const check = (text: string) => JSON.parse(runPeer(["check"], text));

let service: TestService;
let send: ReturnType<typeof createLabSender>;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  send = createLabSender(service, await createLabKey(service));
  userId = await service.createUser("whose laboratory uses another library");
});
afterAll(() => service.stop());

test.each(["2.3", "2.3.1", "2.4", "2.5", "2.5.1", "2.6", "2.7", "2.8"])(
  "a report in version %s of another library becomes the result of its order, and it accepts the acknowledgement",
  async (version) => {
    const order = await createOpenOrder(service, userId);
    const report = {
      control: `PEER-${version}`,
      reported: "20260501080000+0000",
      requisition: requisitionNumber(order.id),
      first_name: patientDetails.first_name,
      last_name: patientDetails.last_name,
      dob: patientDetails.dob.replaceAll("-", ""),
      observations: [
        ["NM", "2345-7^Glucose^LN", "85"],
        ["ST", "LOCAL^Appearance^L", "Clear \\S\\ pale"],
      ],
    };
    const { status, body } = await send(runPeer(["write", version], JSON.stringify(report)));
    expect(status).toBe(200);
    expect(check(String(body))).toEqual({ structure: "ACK", code: "AA", about: report.control });
    const { results } = (await service.call("GET", `/v3/order/${order.id}/result`)).body;
    expect(results.map(({ result }: { result: string }) => result).toSorted()).toEqual(["85", "Clear ^ pale"]);
  },
);

// hl7apy 1.3.5 writes OBR-25 of version 2.8 at another place.
test.each(["2.3.1", "2.5.1", "2.6"])(
  "a withdrawal in version %s of another library, of a value or of the whole report, withdraws what it reported before",
  async (version) => {
    const order = await createOpenOrder(service, userId);
    const about = {
      report: `W-${version}`,
      requisition: requisitionNumber(order.id),
      first_name: patientDetails.first_name,
      last_name: patientDetails.last_name,
      dob: patientDetails.dob.replaceAll("-", ""),
    };
    const [glucose, urea] = [
      ["NM", "2345-7^Glucose^LN", "85"],
      ["NM", "3094-0^Urea^LN", "12"],
    ];
    const steps = [
      { day: 1, observations: [glucose, urea], left: ["12", "85"] },
      { day: 2, observations: [[...glucose, "W"]], left: ["12"] },
      { day: 3, status: "D", observations: [urea], left: [] },
    ];
    for (const { day, left, ...content } of steps) {
      const reported = `2026050${day}080000+0000`;
      const report = { ...about, ...content, control: `W${day}-${version}`, reported };
      expect((await send(runPeer(["write", version], JSON.stringify(report)))).code).toBe("AA");
      const { results } = (await service.call("GET", `/v3/order/${order.id}/result`)).body;
      expect(results.map(({ result }: { result: string }) => result).toSorted()).toEqual(left);
    }
  },
);

test("another library accepts the acknowledgement of a refused message", () => {
  const context = { lab: "quest", control: "A1", at: ORDERED_AT, processing: "T" } as const;
  const [message] = receiveMessages("MSH|^~\\&|LIS|LAB|||20260501||ORU^R01|M1|P|2.5.1\rPID|1", context).messages;
  expect(check(message?.answer() ?? "")).toEqual({ structure: "ACK", code: "AE", about: "M1" });
});

test.each(["NW", "CA"] as const)("another library accepts an order (%s)", (control) => {
  const draft = createDraft({
    clinical_notes: "Fasting | 8 h",
    icd_codes: ["E11.9"],
    aoe_answers: [{ marker_id: 7, question_id: 1, answer: "Y" }],
    physician: { first_name: "Jo", last_name: "Doe", npi: "1234567893" },
  });
  const order = newOrder(draft, createOrderContext("walk_in_test"), ORDERED_AT);
  const placement = toOrderPlacement(draft, order.id, { id: order.id, provider_account_id: "1234567890" });
  const submitted = { order, placement, requisition: requisitionNumber(order.id) };
  const context = { receiver: "quest", control: "C1", at: ORDERED_AT, processing: "T" } as const;
  expect(check(writeOml(submitted, control, context))).toEqual({ structure: "OML_O21" });
});
