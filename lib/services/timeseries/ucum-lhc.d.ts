/** Types of the used part of @lhncbc/ucum-lhc 7, which ships without declarations. */
declare module "@lhncbc/ucum-lhc" {
  interface UcumLhcUtils {
    /** Converts a value between UCUM codes. @throws TypeError for some invalid codes. */
    convertUnitTo(
      from: string,
      value: number,
      to: string,
      options: { molecularWeight: number | null },
    ): { status: "succeeded" | "failed" | "error"; toVal: number | null; msg: readonly string[] };
  }
  const library: { UcumLhcUtils: { getInstance(): UcumLhcUtils } };
  export default library;
}
