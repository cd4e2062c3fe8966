import type { Insurance } from "../insurance/insurance.ts";
import type { Order } from "./order-move.ts";
import type { OrderPlacement } from "./order-placement.ts";

/** What laboratories are told of the insurance that pays for an order. */
export type PayingInsurance = Pick<Insurance, "payor_code" | "member_id" | "group_id" | "relationship"> & {
  readonly company: Pick<Insurance["company"], "name">;
  readonly insured: Pick<Insurance["insured"], "first_name" | "last_name">;
};

/**
 * An insurance that came with an order and is kept nowhere else; null without its payor or the member's number.
 * @param companyName of the payor, its code where no payor of that code is known.
 */
export function insuranceOfPlacement(
  { patient_details: patient }: Pick<Order, "patient_details">,
  { health_insurance: given }: Pick<OrderPlacement, "health_insurance">,
  companyName: string | undefined,
): PayingInsurance | null {
  if (!given?.payor_code || !given.insurance_id) return null;
  const relationship = given.responsible_relationship ?? "Self";
  const { first_name, last_name } = relationship === "Self" ? (patient ?? {}) : (given.responsible_details ?? {});
  const nameOf = (part: unknown) => (typeof part === "string" ? part : "");
  return {
    payor_code: given.payor_code,
    member_id: given.insurance_id,
    group_id: null,
    relationship,
    company: { name: companyName ?? given.payor_code },
    insured: { first_name: nameOf(first_name), last_name: nameOf(last_name) },
  };
}
