import type { OrderDraft } from "../../domain/orders/placement/order-draft.ts";
import type { UserInfo } from "../../domain/users/demographics/user-info.ts";

/** The fields of a draft that the user info completes. */
interface PatientDraft {
  readonly patient_details: OrderDraft["patient_details"];
  readonly patient_address: { readonly access_notes?: string | null | undefined };
}

/** Completes background, proxy and access notes of the patient that a draft leaves out with those of the user info. */
export function withUserInfo<Draft extends PatientDraft>(draft: Draft, info: UserInfo | undefined): Draft {
  if (!info) return draft;
  const { patient_details: patient, patient_address: address } = draft;
  return {
    ...draft,
    patient_details: {
      ...patient,
      race: patient.race ?? info.race,
      ethnicity: patient.ethnicity ?? info.ethnicity,
      sexual_orientation: patient.sexual_orientation ?? info.sexual_orientation,
      gender_identity: patient.gender_identity ?? info.gender_identity,
      medical_proxy: patient.medical_proxy ?? (info.medical_proxy as typeof patient.medical_proxy),
    },
    patient_address: { ...address, access_notes: address.access_notes ?? info.address.access_notes },
  };
}
