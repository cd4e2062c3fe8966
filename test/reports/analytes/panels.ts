/** A group of tests below one heading. Its printed headings: first plain, second short, third long. */
export interface Panel {
  readonly key: string;
  readonly titles: readonly string[];
  readonly analytes: readonly string[];
}

/** key | headings | analytes. */
const table = `
cmp|Comp. Metabolic Panel (14);CMP;Comprehensive Metabolic Panel|glucose urea creatinine egfr egfr-mdrd bun-creatinine sodium potassium chloride co2 calcium protein albumin globulin ag-ratio bilirubin alp ast alt
bmp|Basic Metabolic Panel (8);BMP;Basic Metabolic Panel|glucose urea creatinine egfr bun-creatinine sodium potassium chloride co2 anion-gap calcium
lipids|Lipid Panel;LIPIDS;Lipid Panel With Ratios|cholesterol triglycerides hdl vldl ldl non-hdl chol-hdl ldl-hdl
lipids-advanced|Cardiovascular Risk;CARDIO;Advanced Lipid Markers|apo-a1 apo-b lpa lp-pla2 ldl-direct crp-hs homocysteine
cbc|CBC With Differential/Platelet;CBC;Complete Blood Count with Differential|wbc rbc hemoglobin hematocrit mcv mch mchc rdw platelets mpv neutrophils-percent lymphocytes-percent monocytes-percent eosinophils-percent basophils-percent neutrophils lymphocytes monocytes eosinophils basophils immature-granulocytes nrbc
hemogram|CBC, No Differential/Platelet;HEMOGRAM;CBC without Differential|wbc rbc hemoglobin hematocrit mcv mch mchc rdw platelets
liver|Hepatic Function Panel (7);LFT;Hepatic Function Panel|protein albumin bilirubin bilirubin-direct bilirubin-indirect alp ast alt ggt
renal|Renal Panel;RENAL;Renal Function Panel|glucose urea creatinine egfr sodium potassium chloride co2 anion-gap calcium phosphate albumin
minerals|Minerals;MINERALS;Minerals and Trace Elements|magnesium phosphate uric-acid osmolality ionized-calcium zinc copper
pancreas|Enzymes;ENZYMES;Pancreas and Enzymes|amylase lipase ldh ck prealbumin ammonia
thyroid|Thyroid Panel With TSH;THYROID;Thyroid Function Panel|tsh t4 t3-uptake fti t4-free t3-free t3
thyroid-antibodies|Thyroid Antibodies;THYROID AB;Thyroid Antibodies and Thyroglobulin|tpo tg-ab thyroglobulin t3-reverse
diabetes|Hemoglobin A1c;GLYCEMIC;Diabetes Monitoring|a1c insulin c-peptide fructosamine
iron|Iron and TIBC;IRON;Iron Studies|tibc uibc iron iron-saturation ferritin transferrin
vitamins|Vitamins;VITAMINS;Vitamin Status|vitamin-d b12 folate vitamin-a
hormones|Hormones;HORMONES;Reproductive Hormones|testosterone testosterone-free shbg estradiol progesterone fsh lh prolactin dhea-s amh
endocrine|Endocrinology;ENDO;Endocrine Evaluation|cortisol igf-1 pth growth-hormone
heart|Cardiac Markers;CARDIAC;Cardiac and Inflammation Markers|troponin bnp nt-probnp ck crp esr
coagulation|Coagulation;COAG;Coagulation Studies|pt inr aptt fibrinogen d-dimer antithrombin
tumor|Tumor Markers;TUMOR;Tumor Markers|psa psa-free psa-free-percent cea afp ca-125 ca-19-9 ca-15-3
immunity|Immunology;IMMUNOLOGY;Autoimmune Evaluation|ana rf ccp dsdna ttg-iga c3 c4 iga igg igm c1q
infection|STI Screening;STI;Sexually Transmitted Infections|chlamydia gonorrhea trichomonas hiv rpr treponema hsv-2
hepatitis|Hepatitis Panel;HEPATITIS;Hepatitis and Immunity Panel|hbsag hbsab hbcab hcv hav-igm rubella measles
stool|Stool Studies;STOOL;Stool Studies|h-pylori fit calprotectin
respiratory|Respiratory Pathogens;RESP;Respiratory Pathogen Panel|covid influenza-a influenza-b
allergy|Allergen Profile;ALLERGY;Allergen Specific IgE|ige dust-mite cat dog ragweed oak timothy peanut walnut milk egg-white wheat soybean shrimp sesame
urinalysis|Urinalysis, Complete;URINALYSIS;Urinalysis with Microscopic|u-color u-appearance u-gravity u-ph u-protein u-glucose u-ketones u-blood u-bilirubin u-urobilinogen u-nitrite u-esterase u-wbc u-rbc u-epithelial u-casts u-bacteria u-yeast u-mucus
urine-chemistry|Albumin/Creatinine Ratio,Urine;URINE CHEM;Urine Chemistry, Random|u-creatinine u-albumin u-albumin-ratio u-protein-total u-protein-ratio
drugs|Drug Screen 8 Panel, Urine;UDS;Urine Drug Screen|amphetamines barbiturates benzodiazepines cocaine opiates methadone cannabinoids phencyclidine
levels|Therapeutic Drug Monitoring;TDM;Therapeutic Drug Levels|lithium tacrolimus digoxin valproate lead
blood-group|Blood Type;BLOOD GROUP;Blood Group and Rh Type|abo rh reticulocytes
blood-type|ABO/Rh Typing;ABO/RH;Blood Bank|abo-rh
`;

export const panels: readonly Panel[] = table
  .trim()
  .split("\n")
  .map((line) => {
    const [key = "", titles = "", analytes = ""] = line.split("|");
    return { key, titles: titles.split(";"), analytes: analytes.split(" ") };
  });
