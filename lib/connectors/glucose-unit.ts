/** mg/dL of 1 mmol/L of glucose. */
export const MG_DL_OF_A_MMOL_L = 18.0156;
