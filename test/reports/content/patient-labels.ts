/** A detail in the head of a report. */
export type PatientDetail =
  | "name"
  | "dob"
  | "sex"
  | "id"
  | "specimen"
  | "collected"
  | "received"
  | "reported"
  | "physician"
  | "account"
  | "fasting"
  | "phone";

const order: readonly PatientDetail[] = [
  "name",
  "dob",
  "sex",
  "id",
  "specimen",
  "collected",
  "received",
  "reported",
  "physician",
  "account",
  "fasting",
  "phone",
];

/** Labels in the order of the details; a dash omits a detail. */
const table = [
  "Patient Name;DOB;Sex;Patient ID;Specimen #;Collected;Received;Reported;Ordering Physician;-;-;-",
  "Patient;Date of Birth;Gender;Patient ID;Specimen ID;Date Collected;Date Received;Date Reported;Physician;Account Number;Fasting;Phone",
  "Patient Name;D.O.B.;Gender;Med Rec No;Accession No;Collection Date;Received Date;Report Date;Referring Physician;Client ID;-;-",
  "PATIENT;DOB;SEX;MRN;ACCESSION;COLLECTED;RECEIVED;REPORTED;ORDERED BY;ACCT;-;-",
  "Name;Birth Date;Sex;MRN;Lab ID;Collected on;-;Resulted on;Ordered by;-;-;-",
  "Patient name;Date of birth;Sex;Hospital No;Lab No;Sample collected;Sample received;Report date;Requested by;-;-;-",
  "Name of patient;Born;Sex;Chart no.;Sample no.;Sample taken;Sample arrived;Report issued;Requesting doctor;-;-;-",
  "Name / Nom;Date of birth / Date de naissance;Sex / Sexe;File / Dossier;Sample no. / No d'échantillon;Collected / Prélevé;Received / Reçu;Reported / Rapporté;Physician / Médecin;-;-;-",
];

/** The labels of a laboratory with their details. @param words index of the label set. */
export function patientLabels(words: number): readonly (readonly [PatientDetail, string])[] {
  const labels = (table[words] ?? "").split(";");
  return order.flatMap((detail, place) => (labels[place] === "-" ? [] : [[detail, labels[place] ?? ""] as const]));
}
