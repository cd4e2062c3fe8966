/**
 * Analytes of chemistry: key | LOINC, "-" outside the catalogue | printed names: first plain, second short, third long
 * | units by spelling (see `analytes.ts`) | reference range | decimals.
 */
export const chemistryAnalytes = `
glucose|2345-7|Glucose;GLU;Glucose, Serum|mg/dL;;;mmol/L*0.0555:1@|65..99|0
urea|3094-0|BUN;BUN;Urea Nitrogen (BUN);Blood Urea Nitrogen|mg/dL;;;mmol/L*0.357:1@|6..24|0
creatinine|2160-0|Creatinine;CREAT;Creatinine, Serum|mg/dL;;;umol/L*88.4:0@|0.57..1.27|2
egfr|98979-8|eGFR;eGFR;eGFR (CKD-EPI 2021);Estimated GFR|mL/min/1.73;mL/min/1.73m2;mL/min/1.73m2;mL/min/1.73m2|59>..|0
egfr-mdrd|-|eGFR If NonAfricn Am;eGFR NON-AFR. AMERICAN;eGFR, MDRD, Non-African American|mL/min/1.73;mL/min/1.73m2|59>..|0
bun-creatinine|3097-3|BUN/Creatinine Ratio;BUN/CREAT;BUN/Creatinine Ratio;BUN/Creat Ratio|;;(calc)|9..23|0
sodium|2951-2|Sodium;NA;Sodium, Serum;Sodium Level|mmol/L;mEq/L|134..144|0
potassium|2823-3|Potassium;K;Potassium, Serum;Potassium Level|mmol/L;mEq/L|3.5..5.2|1
chloride|2075-0|Chloride;CL;Chloride, Serum|mmol/L;mEq/L|96..106|0
co2|2028-9|Carbon Dioxide, Total;CO2;Carbon Dioxide (CO2);CO2, Total|mmol/L;mEq/L|20..29|0
anion-gap|-|Anion Gap;ANION GAP;Anion Gap, Calculated|mmol/L;mEq/L;(calc)|5..15|0
calcium|17861-6|Calcium;CA;Calcium, Serum;Calcium, Total|mg/dL;;;mmol/L*0.2495:2@|8.7..10.2|1
magnesium|19123-9|Magnesium;MG;Magnesium, Serum|mg/dL;;;mmol/L*0.4114:2@|1.6..2.3|1
phosphate|2777-1|Phosphorus;PHOS;Phosphorus, Serum;Phosphate|mg/dL;;;mmol/L*0.3229:2@|2.8..4.1|1
uric-acid|3084-1|Uric Acid;URIC;Uric Acid, Serum|mg/dL;;;umol/L*59.48:0@|3.8..8.4|1
osmolality|2692-2|Osmolality;OSMO;Osmolality, Serum|mOsmol/kg;mOsm/kg|280..301|0
ionized-calcium|-|Calcium, Ionized;ICA;Calcium, Ionized, Serum|mg/dL;mg/dL;mg/dL;mmol/L*0.2495:2@|4.5..5.6|1
protein|2885-2|Protein, Total;TP;Total Protein, Serum;Total Protein|g/dL;;;g/L*10:0|6.0..8.5|1
albumin|1751-7|Albumin;ALB;Albumin, Serum|g/dL;;;g/L*10:0|3.8..4.9|1
globulin|10834-0|Globulin, Total;GLOB;Globulin, Calculated;Globulin|g/dL;;g/dL (calc);g/L*10:0|1.5..4.5|1
ag-ratio|1759-0|A/G Ratio;A/G;Albumin/Globulin Ratio|;;(calc)|1.2..2.2|1
bilirubin|1975-2|Bilirubin, Total;TBIL;Total Bilirubin;Bilirubin Total|mg/dL;;;umol/L*17.1:0@|0.2..1.2|1
bilirubin-direct|1968-7|Bilirubin, Direct;DBIL;Direct Bilirubin;Conjugated Bilirubin|mg/dL;;;umol/L*17.1:1@|0.00..0.40|2
bilirubin-indirect|-|Bilirubin, Indirect;IBIL;Indirect Bilirubin|mg/dL;;mg/dL (calc);umol/L*17.1:1@|0.10..0.80|2
alp|6768-6|Alkaline Phosphatase;ALK PHOS;Alkaline Phosphatase, Serum;ALP|IU/L;U/L;U/L;U/L|44..121|0
ast|1920-8|AST (SGOT);AST;Aspartate Aminotransferase (AST);AST|IU/L;U/L;U/L;U/L|..40|0
alt|1742-6|ALT (SGPT);ALT;Alanine Aminotransferase (ALT);ALT|IU/L;U/L;U/L;U/L|..44|0
ggt|2324-2|GGT;GGT;Gamma-Glutamyl Transferase;Gamma GT|IU/L;U/L;U/L;U/L|..65|0
ldh|2532-0|LDH;LD;Lactate Dehydrogenase;LD (LDH), Total|IU/L;U/L;U/L;U/L|121..224|0
amylase|1798-8|Amylase;AMY;Amylase, Serum|U/L|31..110|0
lipase|3040-3|Lipase;LIP;Lipase, Serum|U/L|13..78|0
prealbumin|14338-8|Prealbumin;PREALB;Prealbumin (Transthyretin)|mg/dL|12..34|0
ammonia|-|Ammonia;NH3;Ammonia, Plasma|umol/L;umol/L|16..53|0
cholesterol|2093-3|Cholesterol, Total;CHOL;Total Cholesterol|mg/dL;;;mmol/L*0.02586:2@|100..199|0
triglycerides|2571-8|Triglycerides;TRIG;Triglycerides, Serum|mg/dL;;;mmol/L*0.01129:2@|..149|0
hdl|2085-9|HDL Cholesterol;HDL;HDL Cholesterol;HDL-C|mg/dL;;;mmol/L*0.02586:2@|39>..|0
ldl|13457-7|LDL Chol Calc (NIH);LDL CALC;LDL Cholesterol, Calculated;LDL-Cholesterol, Calc|mg/dL;;mg/dL (calc);mmol/L*0.02586:2@|..99|0
ldl-direct|18262-6|LDL Direct;LDL DIRECT;LDL Cholesterol, Direct;Direct LDL|mg/dL;;;mmol/L*0.02586:2@|..99|0
vldl|13458-5|VLDL Cholesterol Cal;VLDL;VLDL Cholesterol, Calculated|mg/dL;;;mmol/L*0.02586:2@|5..40|0
non-hdl|43396-1|Non-HDL Cholesterol;NON-HDL;Non-HDL Cholesterol;Non HDL Chol|mg/dL;;mg/dL (calc);mmol/L*0.02586:2@|..129|0
chol-hdl|9830-1|Chol/HDL Ratio;CHOL/HDL;Cholesterol/HDL Ratio;T. Chol/HDL Ratio|ratio;;(calc)|..5.0|1
ldl-hdl|-|LDL/HDL Ratio;LDL/HDL;LDL/HDL Ratio|ratio;;(calc)|..3.6|1
apo-a1|1869-7|Apolipoprotein A-1;APO A1;Apolipoprotein A-I|mg/dL|116>..|0
apo-b|1884-6|Apolipoprotein B;APO B;Apolipoprotein B|mg/dL|..<90|0
lpa|43583-4|Lipoprotein (a);LP(A);Lipoprotein (a);Lp(a)|nmol/L|..<75|1
lp-pla2|-|Lp-PLA2 Activity;LP-PLA2;Lipoprotein-Associated Phospholipase A2|nmol/min/mL|..<124|0
iron|2498-4|Iron;FE;Iron, Total;Iron, Serum|ug/dL;mcg/dL;mcg/dL;umol/L*0.179:1@|38..169|0
tibc|2500-7|Iron Bind.Cap.(TIBC);TIBC;Iron Binding Capacity, Total;TIBC|ug/dL;mcg/dL;mcg/dL (calc);umol/L*0.179:1@|250..450|0
uibc|-|UIBC;UIBC;Unsaturated Iron Binding Capacity|ug/dL;mcg/dL;mcg/dL;umol/L*0.179:1@|111..343|0
iron-saturation|2502-3|Iron Saturation;% SAT;Iron Saturation;% Saturation|%;;% (calc)|15..55|0
ferritin|2276-4|Ferritin;FERR;Ferritin, Serum|ng/mL;;;ug/L|30..400|0
transferrin|3034-6|Transferrin;TRF;Transferrin, Serum|mg/dL;;;g/L*0.01:2|192..364|0
vitamin-d|62292-8|Vitamin D, 25-Hydroxy;VIT D 25-OH;Vitamin D, 25-OH, Total|ng/mL;;;nmol/L*2.496:0@|30.0..100.0|1
b12|2132-9|Vitamin B12;VIT B12;Vitamin B12 (Cobalamin)|pg/mL;;;pmol/L*0.738:0@|232..1245|0
folate|2284-8|Folate (Folic Acid), Serum;FOLATE;Folate, Serum;Folic Acid|ng/mL;;;nmol/L*2.266:1@|3.0>..|1
zinc|-|Zinc, Plasma or Serum;ZINC;Zinc, Serum|ug/dL;mcg/dL|44..115|0
copper|-|Copper, Serum;COPPER;Copper, Serum or Plasma|ug/dL;mcg/dL|80..158|0
vitamin-a|-|Vitamin A;VIT A;Vitamin A (Retinol), Serum|ug/dL;mcg/dL|20.1..62.0|1
`;
