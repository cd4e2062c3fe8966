import type * as z from "zod";
import type { Problem } from "../lab-tests/chosen-markers.ts";
import type { wireMarker } from "../lab-tests/wire-lab-test.ts";
import type { AoeAnswer } from "./order-draft.ts";

type Marker = Pick<z.output<typeof wireMarker>, "id" | "aoe">;
type Question = NonNullable<Marker["aoe"]>["questions"][number];

/**
 * What is wrong with the answers to the questions that the ordered markers ask: a required one without an answer, an
 * answer to no question, two answers to one, a choice that is not offered, a number that is none. The answer to a choice
 * is the code of what is chosen; to several choices, their codes with commas between.
 */
export function refusedAnswers(markers: readonly Marker[], answers: readonly AoeAnswer[]): Problem[] {
  const questions = new Map(
    markers.flatMap(({ id, aoe }) => (aoe?.questions ?? []).map((question) => [keyOf(id, question.id), question])),
  );
  const given = new Set<string>();
  const refused: Problem[] = [];
  for (const [index, { marker_id, question_id, answer }] of answers.entries()) {
    const key = keyOf(marker_id, question_id);
    const question = questions.get(key);
    const why = given.has(key) ? "Answered twice" : question ? whyNot(question, answer.trim()) : "No such question";
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

const keyOf = (marker: number, question: number) => `${marker} ${question}`;

function whyNot({ type, required, answers }: Question, answer: string): string | undefined {
  if (answer === "") return required ? "An answer is needed" : undefined;
  const isOffered = (code: string) => answers.some((choice) => choice.code === code);
  if (type === "numeric") return Number.isFinite(Number(answer)) ? undefined : "Not a number";
  if (type === "choice") return isOffered(answer) ? undefined : "None of the choices";
  if (type !== "multi_choice") return undefined;
  return answer.split(",").every((code) => isOffered(code.trim())) ? undefined : "None of the choices";
}
