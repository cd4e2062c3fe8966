/**
 * Analytes of blood counts, coagulation, thyroid, hormones, heart and tumour markers; format as in
 * `analytes-chemistry.ts`.
 */
export const bloodAnalytes = `
wbc|6690-2|WBC;WBC;White Blood Cell Count;White Blood Cells|x10E3/uL;K/uL;Thousand/uL;10^9/L|3.4..10.8|1
rbc|789-8|RBC;RBC;Red Blood Cell Count;Red Blood Cells|x10E6/uL;M/uL;Million/uL;10^12/L|4.14..5.80|2
hemoglobin|718-7|Hemoglobin;HGB;Hemoglobin;Hgb|g/dL;;;g/L*10:0|13.0..17.7|1
hematocrit|4544-3|Hematocrit;HCT;Hematocrit;Hct|%|37.5..51.0|1
mcv|787-2|MCV;MCV;Mean Corpuscular Volume;MCV|fL;fl;fL|79..97|0
mch|785-6|MCH;MCH;Mean Corpuscular Hemoglobin;MCH|pg|26.6..33.0|1
mchc|786-4|MCHC;MCHC;Mean Corpuscular Hgb Conc;MCHC|g/dL;;;g/L*10:0|31.5..35.7|1
rdw|788-0|RDW;RDW;RDW-CV;Red Cell Distribution Width|%|11.6..15.4|1
platelets|777-3|Platelets;PLT;Platelet Count;Platelets|x10E3/uL;K/uL;Thousand/uL;10^9/L|150..450|0
mpv|32623-1|MPV;MPV;Mean Platelet Volume;MPV|fL;fl;fL|7.5..12.5|1
neutrophils-percent|770-8|Neutrophils;NEUT %;Neutrophils %;Neutrophils|%|40..74|0
lymphocytes-percent|736-9|Lymphs;LYMPH %;Lymphocytes %;Lymphocytes|%|14..46|0
monocytes-percent|5905-5|Monocytes;MONO %;Monocytes %;Monocytes|%|4..12|0
eosinophils-percent|713-8|Eos;EOS %;Eosinophils %;Eosinophils|%|0..7|0
basophils-percent|706-2|Basos;BASO %;Basophils %;Basophils|%|0..2|0
neutrophils|751-8|Neutrophils (Absolute);ABS NEUT;Neutrophils, Absolute;Absolute Neutrophils|x10E3/uL;K/uL;cells/uL*1000:0;10^9/L|1.4..7.0|1
lymphocytes|731-0|Lymphs (Absolute);ABS LYMPH;Lymphocytes, Absolute;Absolute Lymphocytes|x10E3/uL;K/uL;cells/uL*1000:0;10^9/L|0.7..3.1|1
monocytes|742-7|Monocytes(Absolute);ABS MONO;Monocytes, Absolute;Absolute Monocytes|x10E3/uL;K/uL;cells/uL*1000:0;10^9/L|0.1..0.9|1
eosinophils|711-2|Eos (Absolute);ABS EOS;Eosinophils, Absolute;Absolute Eosinophils|x10E3/uL;K/uL;cells/uL*1000:0;10^9/L|0.0..0.4|1
basophils|704-7|Baso (Absolute);ABS BASO;Basophils, Absolute;Absolute Basophils|x10E3/uL;K/uL;cells/uL*1000:0;10^9/L|0.0..0.2|1
immature-granulocytes|-|Immature Granulocytes;IG %;Immature Granulocytes %;Immature Granulocytes|%|..1|0
nrbc|-|NRBC;NRBC;Nucleated RBC;NRBC|/100 WBC;/100 WBC|..<1|0
reticulocytes|17849-1|Reticulocyte Count;RETIC %;Reticulocytes, Percent|%|0.6..2.6|1
abo|883-9|ABO Grouping;ABO;ABO Blood Group;ABO Group||text:/A,B,O,AB|0
rh|10331-7|Rh Factor;RH;Rh Type;Rh (D) Type||text:/Positive,Negative|0
abo-rh|-|ABO/Rh;ABO/RH;ABO Group and Rh Type||text:/A POS,O POS,B POS,O NEG,A NEG,AB POS|0
pt|5902-2|Prothrombin Time;PT;Prothrombin Time (PT);Protime|sec;s;sec;s|9.1..12.0|1
inr|6301-6|INR;INR;International Normalized Ratio (INR)||0.9..1.2|1
aptt|14979-9|aPTT;APTT;Activated Partial Thromboplastin Time;PTT, Activated|sec;s;sec;s|24..33|0
fibrinogen|3255-7|Fibrinogen Activity;FIBRINOGEN;Fibrinogen, Clauss;Fibrinogen|mg/dL;;;g/L*0.01:2|193..507|0
d-dimer|48065-7|D-Dimer;D-DIMER;D-Dimer, Quantitative|mg/L FEU;ug/mL FEU;mcg/mL FEU|0.00..0.49|2
antithrombin|-|Antithrombin Activity;AT III;Antithrombin III Activity|%|75..135|0
tsh|3016-3|TSH;TSH;Thyroid Stimulating Hormone;TSH|uIU/mL;mIU/L;mIU/L;mIU/L|0.450..4.500|3
t4-free|3024-7|T4,Free(Direct);FREE T4;T4, Free;Free T4|ng/dL;;;pmol/L*12.87:1@|0.82..1.77|2
t4|3026-2|Thyroxine (T4);T4;T4 (Thyroxine), Total;T4, Total|ug/dL;mcg/dL;mcg/dL|4.5..12.0|1
t3-free|3051-0|Triiodothyronine (T3), Free;FREE T3;T3, Free;Free T3|pg/mL;;;pmol/L*1.536:1@|2.0..4.4|1
t3|3053-6|Triiodothyronine (T3);T3;T3, Total;T3 Total|ng/dL|71..180|0
t3-uptake|3050-2|T3 Uptake;T3 UP;T3 Uptake;T3U|%|24..39|0
fti|-|Free Thyroxine Index;FTI;Free T4 Index (T7)|;;(calc)|1.2..4.9|1
t3-reverse|-|Reverse T3, Serum;RT3;T3, Reverse, LC/MS/MS|ng/dL|9.2..24.1|1
tpo|8099-4|Thyroid Peroxidase (TPO) Ab;TPO AB;Thyroid Peroxidase Antibodies;Anti-TPO|IU/mL|..34|0
tg-ab|8098-6|Thyroglobulin Antibody;TG AB;Thyroglobulin Antibodies;Anti-Thyroglobulin|IU/mL|0.0..0.9|1
thyroglobulin|3013-0|Thyroglobulin;THYROGLOBULIN;Thyroglobulin, Quantitative|ng/mL;;;ug/L|1.5..38.5|1
a1c|4548-4|Hemoglobin A1c;HGB A1C;Hemoglobin A1c;HbA1c|%;%;% of total Hgb|4.8..5.6|1
insulin|20448-7|Insulin;INSULIN;Insulin, Serum|uIU/mL|2.6..24.9|1
c-peptide|1986-9|C-Peptide, Serum;C-PEPTIDE;C-Peptide|ng/mL|1.1..4.4|1
fructosamine|-|Fructosamine;FRUCT;Fructosamine, Serum|umol/L|205..285|0
testosterone|2986-8|Testosterone, Serum;TESTO;Testosterone, Total;Total Testosterone|ng/dL|264..916|0
testosterone-free|2991-8|Free Testosterone(Direct);FREE TESTO;Testosterone, Free|pg/mL|8.7..25.1|1
shbg|13967-5|Sex Horm Binding Glob, Serum;SHBG;Sex Hormone Binding Globulin|nmol/L|16.5..55.9|1
estradiol|2243-4|Estradiol;E2;Estradiol, Serum|pg/mL|7.6..42.6|1
progesterone|2839-9|Progesterone;PROG;Progesterone, Serum|ng/mL|0.2..1.4|1
fsh|15067-2|FSH;FSH;Follicle Stimulating Hormone;FSH|mIU/mL;IU/L|1.5..12.4|1
lh|10501-5|LH;LH;Luteinizing Hormone;Luteinizing Hormone(LH)|mIU/mL;IU/L|1.7..8.6|1
prolactin|2842-3|Prolactin;PRL;Prolactin, Serum|ng/mL|3.6..25.2|1
dhea-s|2191-5|DHEA-Sulfate;DHEA-S;Dehydroepiandrosterone Sulfate (DHEA-S);DHEA Sulfate|ug/dL;mcg/dL;mcg/dL|71.6..375.4|1
cortisol|2143-6|Cortisol;CORTISOL;Cortisol, Serum;Cortisol, Total|ug/dL;mcg/dL;mcg/dL|6.2..19.4|1
amh|38476-8|Anti-Mullerian Hormone (AMH);AMH;Anti-Mullerian Hormone|ng/mL|0.26..8.17|2
igf-1|2484-4|Insulin-Like Growth Factor I;IGF-1;Insulin-Like Growth Factor 1 (IGF-1)|ng/mL|81..263|0
pth|2731-8|PTH, Intact;PTH;Parathyroid Hormone, Intact;Intact PTH|pg/mL|15..65|0
growth-hormone|-|Growth Hormone, Serum;HGH;Human Growth Hormone (hGH)|ng/mL|..10.0|1
crp-hs|30522-7|C-Reactive Protein, Cardiac;HS-CRP;C-Reactive Protein, High Sensitivity;hs-CRP|mg/L|0.00..3.00|2
crp|1988-5|C-Reactive Protein, Quant;CRP;C-Reactive Protein|mg/L|..10|0
esr|4537-7|Sedimentation Rate-Westergren;ESR;Sedimentation Rate, Westergren;Sed Rate (Westergren)|mm/hr;mm/h|..30|0
homocysteine|13965-9|Homocyst(e)ine;HCY;Homocysteine|umol/L|..14.5|1
ck|2157-6|Creatine Kinase,Total;CK;Creatine Kinase (CK), Total|U/L|49..439|0
troponin|10839-9|Troponin I;TROP I;Troponin I, Cardiac|ng/mL|0.00..0.04|2
bnp|30934-4|B-Type Natriuretic Peptide;BNP;B-Type Natriuretic Peptide (BNP)|pg/mL|0.0..100.0|1
nt-probnp|33762-6|NT-proBNP;PROBNP;NT-proBNP;N-Terminal proBNP|pg/mL|..376|0
psa|2857-1|Prostate Specific Ag, Serum;PSA;Prostate Specific Antigen (PSA), Total;PSA, Total|ng/mL|0.0..4.0|1
psa-free|10886-0|PSA, Free;FREE PSA;Prostate Specific Antigen, Free|ng/mL|0.00..0.93|2
psa-free-percent|-|% Free PSA;% FREE PSA;PSA, Free Percent|%|25>..|0
cea|2039-6|CEA;CEA;Carcinoembryonic Antigen (CEA)|ng/mL|0.0..4.7|1
afp|1834-1|AFP, Serum, Tumor Marker;AFP;Alpha-Fetoprotein, Tumor Marker|ng/mL|0.0..8.3|1
ca-125|10334-1|Cancer Antigen (CA) 125;CA 125;Cancer Antigen 125|U/mL|0.0..38.1|1
ca-19-9|24108-3|CA 19-9;CA 19-9;Cancer Antigen 19-9|U/mL|..35|0
ca-15-3|-|CA 15-3;CA 15-3;Cancer Antigen 15-3|U/mL|0.0..25.0|1
`;
