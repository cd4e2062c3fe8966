import type { LabTest } from "./lab-test.ts";
import type { Lab } from "./labs.ts";

/** Instructions for the collection of a sample. */
export interface CollectionInstructions {
  readonly title: string;
  readonly before: readonly string[];
  readonly steps: readonly string[];
  readonly after: string;
}

const FASTING = "Eat nothing and drink only water for 8 to 12 hours before.";
const WATER = "Drink a glass of water beforehand: it makes it easier to take blood.";
const MEDICINES = "Take your medicines as usual unless your physician has told you otherwise.";

const kitSteps: Readonly<Record<string, readonly string[]>> = {
  dried_blood_spot: [
    "Register the kit with the code on its box, and write your name and date of birth on the card.",
    "Wash your hands with warm water for a minute and dry them. Warm hands bleed more easily.",
    "Clean the side of a fingertip with the alcohol pad and let it dry in the air.",
    "Press the lancet firmly against it until it clicks. Wipe the first drop away with the gauze.",
    "Let one large drop fall onto each circle of the card without touching the card. Fill every circle.",
    "Let the card dry in the air for at least 30 minutes, away from heat and sunlight.",
    "Put the dry card with its drying sachet into the bag, the bag into the prepaid envelope, and send it the same day.",
  ],
  saliva: [
    "Register the kit with the code on its box, and write your name and date of birth on the tube.",
    "Do not eat, drink, smoke or brush your teeth for 30 minutes before.",
    "Fill the tube to its line with saliva, without bubbles, and close it tightly.",
    "Put the tube into the bag, the bag into the prepaid envelope, and send it the same day.",
  ],
  urine: [
    "Register the kit with the code on its box, and write your name and date of birth on the tube.",
    "Wash your hands and clean yourself with the wipe.",
    "Let the first part of the urine go, then fill the cup halfway.",
    "Fill the tube from the cup to its line, close it, and throw the cup away.",
    "Put the tube into the bag, the bag into the prepaid envelope, and send it the same day.",
  ],
  stool: [
    "Register the kit with the code on its box, and write your name and date of birth on the tube.",
    "Catch the stool with the paper of the kit, so that it touches neither water nor urine.",
    "Take a small piece from several places with the spoon in the lid, and close the tube tightly.",
    "Put the tube into the bag, the bag into the prepaid envelope, and send it the same day.",
  ],
};

const visitSteps: Readonly<Record<string, readonly string[]>> = {
  walk_in_test: [
    "Choose a patient service center near you. Most take patients without an appointment; one saves you the wait.",
    "Bring your requisition, printed or on your phone, and an identity card with a photo.",
    "Check in at the desk. Have your name, date of birth and the requisition number ready.",
    "A phlebotomist takes the sample. It takes about ten minutes.",
    "Press on the gauze for five minutes and leave it on for an hour.",
  ],
  at_home_phlebotomy: [
    "Book an appointment; a phlebotomist comes to your address in the window of time that you chose.",
    "Have an identity card with a photo ready, and a chair with a table in good light.",
    "Tell the phlebotomist if you have fainted before when blood was taken, or if one arm is better than the other.",
    "The phlebotomist takes the sample, labels it in front of you and brings it to the laboratory.",
    "Press on the gauze for five minutes and leave it on for an hour.",
  ],
  on_site_collection: [
    "Check the identity of the patient by name and date of birth, against the requisition.",
    "Take the tubes in the order of draw that the laboratory gives, and mix each gently by turning it over.",
    "Label every tube beside the patient with name, date of birth, and date and time of collection.",
    "Keep the tubes as the laboratory's guide says until the courier comes, and put the requisition with them.",
    "Report the draw as completed, so that the laboratory expects the sample.",
  ],
};

/** Builds the collection instructions of a lab test. @param sample sample type, such as `serum`. */
export function collectionInstructions(
  test: Pick<LabTest, "name" | "fasting"> & { readonly method: string },
  lab: Lab,
  sample: string,
): CollectionInstructions {
  const isKit = test.method === "testkit";
  const steps = isKit ? kitSteps[sample] : visitSteps[test.method];
  const isBlood = !["urine", "stool", "saliva"].includes(sample);
  return {
    title: test.name,
    before: [...(test.fasting ? [FASTING] : []), ...(isBlood ? [WATER] : []), MEDICINES],
    steps: steps ?? kitSteps.dried_blood_spot ?? [],
    after: `The sample is tested by ${lab.name}, ${lab.first_line_address}, ${lab.city}, ${lab.state} ${lab.zipcode}.`,
  };
}
