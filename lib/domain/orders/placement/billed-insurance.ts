import type { Insurance } from "../../insurance/insurance.ts";
import type { Order } from "../lifecycle/order-transitions.ts";
import type { OrderPlacement } from "./order-placement.ts";

/** Insurance that a laboratory bills for an order. */
export type BilledInsurance = Pick<Insurance, "payor_code" | "member_id" | "group_id" | "relationship"> & {
  readonly company: Pick<Insurance["company"], "name">;
  readonly insured: Pick<Insurance["insured"], "first_name" | "last_name">;
};

/** The insurance data of a request. */
type GivenInsurance = OrderPlacement["health_insurance"] | undefined;

/** Insurance data that can be billed: it names the payor, and the member there. */
type NamedInsurance = NonNullable<GivenInsurance> & { readonly payor_code: string; readonly insurance_id: string };

/** Whether the insurance data of a request names an insurance that can be billed. */
export const namesInsurance = (given: GivenInsurance): given is NamedInsurance =>
  Boolean(given?.payor_code && given.insurance_id?.trim());

/** Whether the insurance data names the person who is insured, if that is not the patient. */
export function namesInsuredPerson(given: GivenInsurance): boolean {
  const { first_name, last_name } = given?.responsible_details ?? {};
  const isSelf = (given?.responsible_relationship ?? "Self") === "Self";
  return isSelf || [first_name, last_name].every((name) => typeof name === "string" && name.trim() !== "");
}

/**
 * Converts the insurance that was sent with an order.
 * @param companyName name of the payor; the payor code stands in for an unknown payor.
 */
export function toBilledInsurance(
  { patient_details: patient }: Pick<Order, "patient_details">,
  given: NamedInsurance,
  companyName: string | undefined,
): BilledInsurance {
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
