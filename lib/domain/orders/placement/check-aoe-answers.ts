import * as z from "zod";
import type { RequestProblem } from "../../lab-tests/select-markers.ts";
import type { wireMarker } from "../../lab-tests/wire-lab-test.ts";
import type { AoeAnswer } from "./order-draft.ts";

type Marker = Pick<z.output<typeof wireMarker>, "id" | "aoe">;
type Question = NonNullable<Marker["aoe"]>["questions"][number];

/**
 * Checks the answers to the questions that laboratories ask at order entry (AOE). Reports a required question without
 * an answer, an unknown question, a second answer, a code that the question does not offer, text that is not a number,
 * and an answer that breaks the constraint of its question. The answer to a `choice` is the code of the selected option; the answer to a `multi_choice` is a
 * comma-separated list.
 */
export function checkAoeAnswers(markers: readonly Marker[], answers: readonly AoeAnswer[]): RequestProblem[] {
  const questions = listQuestions(markers);
  const given = new Set<string>();
  const refused: RequestProblem[] = [];
  for (const [index, { marker_id, question_id, answer }] of answers.entries()) {
    const key = questionKey(marker_id, question_id);
    const question = questions.get(key);
    const why = given.has(key)
      ? "The question has two answers"
      : question
        ? answerProblem(question, answer.trim())
        : "Unknown question";
    if (why) refused.push({ loc: ["body", "aoe_answers", index], msg: why });
    given.add(key);
  }
  for (const [key, { required }] of questions) {
    if (!required || given.has(key)) continue;
    const [marker, question] = key.split(" ");
    refused.push({ loc: ["body", "aoe_answers"], msg: `Question ${question} of marker ${marker} needs an answer` });
  }
  return refused;
}

/**
 * Returns the answers of an order that is placed again: the given ones, and those of the former order to the other
 * questions that these markers ask.
 */
export function mergeAoeAnswers(
  markers: readonly Marker[],
  given: readonly AoeAnswer[],
  former: readonly AoeAnswer[],
): AoeAnswer[] {
  const keyOf = ({ marker_id, question_id }: AoeAnswer) => questionKey(marker_id, question_id);
  const questions = listQuestions(markers);
  const answered = new Set(given.map(keyOf));
  return [...given, ...former.filter((answer) => questions.has(keyOf(answer)) && !answered.has(keyOf(answer)))];
}

const listQuestions = (markers: readonly Marker[]): ReadonlyMap<string, Question> =>
  new Map(
    markers.flatMap(({ id, aoe }) =>
      (aoe?.questions ?? []).map((question) => [questionKey(id, question.id), question] as const),
    ),
  );

const questionKey = (marker: number, question: number) => `${marker} ${question}`;

/** A number as people write it; `Number` takes `0x10` and `1e3` too, which laboratories do not. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/;
/** A constraint on numbers: the lowest and the highest one, such as `0..10000`. */
const RANGE = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/;
/** Constraints on texts, with the schema of the answers that they allow. */
const textForms: Readonly<Record<string, z.ZodType>> = {
  "YYYY-MM-DD": z.iso.date(),
  "YYYY-MM-DD HH:MM": z
    .string()
    .transform((text) => text.replace(" ", "T"))
    .pipe(z.iso.datetime({ local: true, precision: -1 })),
};

/** Returns why an answer breaks the constraint of its question. A constraint in another form is a hint alone. */
function constraintProblem({ type, constraint }: Question, answer: string): string | undefined {
  const [, lowest, highest] = (type === "numeric" && RANGE.exec(constraint ?? "")) || [];
  if (lowest !== undefined && highest !== undefined) {
    const isWithin = Number(answer) >= Number(lowest) && Number(answer) <= Number(highest);
    return isWithin ? undefined : `Not between ${lowest} and ${highest}`;
  }
  const form = type === "text" ? textForms[constraint ?? ""] : undefined;
  return !form || form.safeParse(answer).success ? undefined : `Not in the form ${constraint}`;
}

function answerProblem(question: Question, answer: string): string | undefined {
  const { type, required, answers } = question;
  if (answer === "") return required ? "An answer is required" : undefined;
  const isOffered = (code: string) => answers.some((choice) => choice.code === code);
  if (type === "numeric" && !DECIMAL.test(answer)) return "Not a number";
  if (type === "choice") return isOffered(answer) ? undefined : "Not one of the offered answers";
  if (type !== "multi_choice") return constraintProblem(question, answer);
  return answer.split(",").every((code) => isOffered(code.trim())) ? undefined : "Not one of the offered answers";
}
