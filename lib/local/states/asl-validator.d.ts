/** The part of asl-validator 4 in use here; the package ships without type declarations. */
declare module "asl-validator" {
  /** Checks a definition against the Amazon States Language. Writes defaults into the definition it is given. */
  export default function validate(definition: object): { isValid: boolean; errorsText(separator?: string): string };
}
