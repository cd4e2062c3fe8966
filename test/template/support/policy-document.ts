import * as z from "zod";

const oneOrMore = <S extends z.ZodType>(schema: S) =>
  z.union([schema, z.array(schema)]).transform((value) => [value].flat() as z.output<S>[]);

/** A statement of an IAM, key, bucket, queue or topic policy. A resource with unresolved references is an object. */
const statement = z.object({
  Effect: z.string(),
  Principal: z.unknown().optional(),
  Action: oneOrMore(z.string()),
  /** Absent in the trust policy of a role, which concerns the role itself. */
  Resource: oneOrMore(z.unknown()).default([]),
  Condition: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

/** The statements of a policy document, with lists always as arrays. */
export function parseStatements(document: unknown): z.output<typeof statement>[] {
  return z.object({ Statement: z.array(statement) }).parse(document).Statement;
}
