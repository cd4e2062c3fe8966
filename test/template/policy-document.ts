import * as z from "zod";

const oneOrMore = <S extends z.ZodType>(schema: S) =>
  z.union([schema, z.array(schema)]).transform((value) => [value].flat() as z.output<S>[]);

/** A statement of an IAM, key, bucket, queue or topic policy; a resource whose references stand is an object. */
const statement = z.object({
  Effect: z.string(),
  Principal: z.unknown().optional(),
  Action: oneOrMore(z.string()),
  /** None in the trust policy of a role, which is about the role itself. */
  Resource: oneOrMore(z.unknown()).default([]),
  Condition: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

/** The statements of a policy document, lists always written as lists. */
export function statementsOf(document: unknown): z.output<typeof statement>[] {
  return z.object({ Statement: z.array(statement) }).parse(document).Statement;
}
