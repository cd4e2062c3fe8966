import type { Layout } from "../layouts/layout.ts";
import { type PatientDetail, patientLabels } from "./patient-labels.ts";
import type { TruthMetadata } from "./report-truth.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** The patient, the specimen and the laboratory as printed in the head of a report. */
export interface Patient {
  readonly lines: readonly { readonly detail: PatientDetail; readonly label: string; readonly text: string }[];
  readonly address: readonly string[];
  /** Date of the previous results, `YYYY-MM-DD`. */
  readonly previousDate: string;
  readonly metadata: TruthMetadata;
}

const women = [
  "Maria",
  "Jennifer",
  "Linda",
  "Susan",
  "Karen",
  "Aisha",
  "Grace",
  "Elena",
  "Priya",
  "Hannah",
  "Dolores",
  "Mei",
];
const men = [
  "James",
  "Robert",
  "David",
  "William",
  "Carlos",
  "Daniel",
  "Anthony",
  "Kevin",
  "Omar",
  "Samuel",
  "Walter",
  "Luis",
];
const surnames = [
  "Nguyen",
  "Garcia",
  "Johnson",
  "Whitfield",
  "Okafor",
  "Petersen",
  "Ramirez",
  "Sullivan",
  "Kowalski",
  "Bennett",
  "Harrington",
  "Lee",
  "Abbott",
  "O'Neil",
  "Castellano",
  "Vance",
];
const streets = [
  "Commerce Drive",
  "Research Parkway",
  "Medical Center Blvd",
  "Industrial Way",
  "Old Mill Road",
  "Second Street",
];
const towns = [
  "Springfield, IL 62704",
  "Dayton, OH 45402",
  "Salem, OR 97301",
  "Auburn, AL 36830",
  "Concord, NH 03301",
  "Lubbock, TX 79401",
];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const two = (number: number) => String(number).padStart(2, "0");

/** Formats a date as the laboratory prints it. @param day `YYYY-MM-DD`, with ` HH:MM` for an instant. */
export function formatDate(day: string, { dates }: Layout, hasTime: boolean): string {
  const [date = "", time = ""] = day.split(" ");
  const [year = "", month = "", dayOfMonth = ""] = date.split("-");
  const named = months[Number(month) - 1] ?? "";
  const written = {
    us: `${month}/${dayOfMonth}/${year}`,
    "us-time": `${month}/${dayOfMonth}/${year}`,
    iso: date,
    "day-month": `${dayOfMonth}-${named}-${year}`,
    "month-day": `${named} ${Number(dayOfMonth)}, ${year}`,
    dots: `${dayOfMonth}.${month}.${year}`,
  }[dates];
  return hasTime && time !== "" ? `${written} ${time}` : written;
}

function printedName(first: string, last: string, middle: string, { person }: Layout): string {
  if (person === "first-last") return `${first} ${last}`;
  return person === "upper" ? `${last}, ${first} ${middle}`.toUpperCase() : `${last}, ${first}`;
}

interface Facts extends TruthMetadata {
  readonly collectedAt: string;
  readonly receivedAt: string;
  readonly reportedAt: string;
}

function drawFacts(layout: Layout, random: SeededRandom): Facts {
  const gender = random.pick(["female", "male"] as const);
  const [year, month, day] = [random.whole(2023, 2025), random.whole(1, 12), random.whole(1, 24)];
  const collected = `${year}-${two(month)}-${two(day)}`;
  const reported = `${year}-${two(month)}-${two(day + random.whole(1, 3))}`;
  const born = `${random.whole(1938, 2004)}-${two(random.whole(1, 12))}-${two(random.whole(1, 28))}`;
  return {
    patient_first_name: random.pick(gender === "female" ? women : men),
    patient_last_name: random.pick(surnames),
    dob: born,
    gender,
    lab_name: layout.lab,
    date_reported: reported,
    date_collected: collected,
    specimen_number: random.pick([
      `${random.digits(3)}-${random.digits(3)}-${random.digits(4)}-0`,
      `${random.pick(["A", "L", "S"])}${random.digits(8)}`,
      random.digits(9),
    ]),
    collectedAt: `${collected} ${two(random.whole(6, 11))}:${two(random.whole(0, 59))}`,
    receivedAt: `${collected} ${random.whole(14, 22)}:${two(random.whole(0, 59))}`,
    reportedAt: `${reported} ${two(random.whole(7, 18))}:${two(random.whole(0, 59))}`,
  };
}

/** Draws a random patient for a report. */
export function createPatient(layout: Layout, random: SeededRandom): Patient {
  const { collectedAt, receivedAt, reportedAt, ...metadata } = drawFacts(layout, random);
  const sex =
    layout.patient.words === 3 || random.boolean(0.4)
      ? metadata.gender[0]?.toUpperCase()
      : metadata.gender === "male"
        ? "Male"
        : "Female";
  const texts: Record<PatientDetail, string> = {
    name: printedName(
      metadata.patient_first_name,
      metadata.patient_last_name,
      random.pick(["A", "J", "M", "R"]),
      layout,
    ),
    dob: formatDate(metadata.dob, layout, false),
    sex: sex ?? "",
    id: random.digits(7),
    specimen: metadata.specimen_number,
    collected: formatDate(collectedAt, layout, layout.dates !== "dots"),
    received: formatDate(receivedAt, layout, layout.dates === "us-time"),
    reported: formatDate(reportedAt, layout, layout.dates !== "us"),
    physician: `Dr. ${random.pick(surnames)}`,
    account: random.digits(8),
    fasting: random.pick(["Yes", "No"]),
    phone: `555-01${random.digits(2)}`,
  };
  const lines = patientLabels(layout.patient.words).map(([detail, label]) => ({ detail, label, text: texts[detail] }));
  const address = [
    `${random.whole(100, 9800)} ${random.pick(streets)}`,
    random.pick(towns),
    `Tel. (555) 555-01${random.digits(2)}`,
  ];
  const previously = `${Number(metadata.date_collected.slice(0, 4)) - 1}${metadata.date_collected.slice(4)}`;
  return { lines, address, previousDate: previously, metadata };
}
