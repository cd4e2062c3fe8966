/** Conversion factor for glucose: 1 mmol/L is 18.0156 mg/dL. */
export const MG_DL_PER_MMOL_L = 18.0156;
