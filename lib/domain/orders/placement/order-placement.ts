import type { KitRegistration, OrderDraft } from "./order-draft.ts";

/** Data that a laboratory receives with an order and that no response shows. Stored beside the order, under its id. */
export interface OrderPlacement {
  readonly order_id: string;
  readonly lab_account_id: string;
  /** Account number at the laboratory. */
  readonly account_number: string;
  /** Clinical notes as the team sent them, without the default notes of the lab account. */
  readonly clinical_notes: string | null;
  readonly aoe_answers: NonNullable<OrderDraft["aoe_answers"]>;
  readonly consents: OrderDraft["consents"];
  readonly health_insurance: NonNullable<OrderDraft["health_insurance"]> | null;
  readonly physician: NonNullable<OrderDraft["physician"] | KitRegistration["physician"]> | null;
  readonly household_income: number | null;
  readonly household_size: number | null;
  readonly creator_member_id: string | null;
}

/** Builds the placement of an order. @param account resolved lab account. */
export function toOrderPlacement(
  draft: Partial<OrderDraft> & Partial<Pick<KitRegistration, "physician">>,
  orderId: string,
  account: { readonly id: string; readonly provider_account_id: string },
): OrderPlacement {
  return {
    order_id: orderId,
    lab_account_id: account.id,
    account_number: account.provider_account_id,
    clinical_notes: draft.clinical_notes ?? null,
    aoe_answers: draft.aoe_answers ?? [],
    consents: draft.consents ?? [],
    health_insurance: draft.health_insurance ?? null,
    physician: draft.physician ?? null,
    household_income: draft.patient_details?.household_income ?? null,
    household_size: draft.patient_details?.household_size ?? null,
    creator_member_id: draft.creator_member_id ?? null,
  };
}
