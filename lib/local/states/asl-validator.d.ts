/** Types of the used part of asl-validator 4, which has no type declarations. */
declare module "asl-validator" {
  /** Checks a definition against the Amazon States Language. Adds defaults to the given definition. */
  export default function validate(definition: object): { isValid: boolean; errorsText(separator?: string): string };
}
