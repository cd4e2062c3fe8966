/** Comments that laboratories print below a result, by analyte. */
export const resultComments: ReadonlyMap<string, readonly string[]> = new Map([
  ["a1c", ["Prediabetes: 5.7 - 6.4", "Diabetes: >6.4", "Glycemic control for adults with diabetes: <7.0"]],
  ["egfr", ["Calculated with the CKD-EPI 2021 equation, which does not include a race coefficient."]],
  [
    "vitamin-d",
    [
      "Vitamin D deficiency has been defined as a level of serum 25-OH vitamin D less than 20 ng/mL;",
      "insufficiency as a level between 21 and 29 ng/mL.",
    ],
  ],
  [
    "ldl",
    [
      "Desirable range <100 mg/dL for primary prevention; <70 mg/dL for patients with heart disease",
      "or with two or more risk factors.",
    ],
  ],
  ["crp-hs", ["Relative risk for future cardiovascular event:", "Low <1.00, Average 1.00 - 3.00, High >3.00"]],
  ["potassium", ["Specimen slightly hemolyzed; the result may be falsely elevated."]],
  ["psa", ["Values obtained with different assay methods or kits cannot be used interchangeably."]],
  [
    "hiv",
    ["HIV-1/HIV-2 antibodies and HIV-1 p24 antigen: there is no laboratory evidence of infection if non-reactive."],
  ],
  [
    "glucose",
    ["Reference interval is for a fasting specimen. Values of 126 mg/dL or more on two days suggest diabetes."],
  ],
  ["tsh", ["Reference ranges in pregnancy differ; first trimester 0.26 to 2.66."]],
  ["inr", ["Reference interval is for non-anticoagulated patients. Suggested INR therapeutic range: 2.0 - 3.0"]],
  ["lpa", ["Note: values greater than or equal to 75 nmol/L may indicate an independent risk factor."]],
  ["lead", ["Testing performed by inductively coupled plasma mass spectrometry."]],
  ["ana", ["A negative result does not exclude an autoimmune disease."]],
  ["u-esterase", ["Microscopic follows if indicated."]],
  ["ferritin", ["Biotin in high doses may interfere with this assay. Wait 8 hours after the last dose."]],
]);

/** Method notes that some laboratories print below results. */
export const assayMethods: readonly string[] = [
  "Method: Spectrophotometry",
  "Method: Hexokinase",
  "Method: ECLIA",
  "Method: Ion selective electrode",
  "Method: Calculated",
  "Method: Immunoturbidimetry",
  "Method: CLIA",
  "Method: Enzymatic, colorimetric",
];

/** Notes at the end of a report. */
export const closingNotes: readonly string[] = [
  "Results should be interpreted in the clinical context by a qualified clinician.",
  "This test was developed and its performance characteristics determined by the laboratory.",
  "For inquiries, the physician may contact the laboratory at the number printed above.",
  "Fasting status was not stated. Specimens are kept for 7 days.",
];
