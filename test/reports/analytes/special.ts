/**
 * Analytes of immunity, infection, allergy, urine, drugs; format as in `analytes-chemistry.ts`, texts as
 * `text:usual/unusual,...`.
 */
export const specialAnalytes = `
ana|8061-4|ANA Direct;ANA;ANA Screen, IFA;ANA Screen||text:Negative/Positive|0
rf|11572-5|RA Latex Turbid.;RF;Rheumatoid Factor|IU/mL|..<14.0|1
ccp|33935-8|CCP Antibodies IgG/IgA;CCP AB;Cyclic Citrullinated Peptide (CCP) Ab (IgG)|units;U/mL;units|..19|0
dsdna|5130-0|Anti-DNA (DS) Ab Qn;DSDNA AB;DNA (ds) Antibody|IU/mL|..9|0
ttg-iga|31017-7|t-Transglutaminase (tTG) IgA;TTG IGA;Tissue Transglutaminase Antibody, IgA|U/mL|..3|0
c3|4485-9|Complement C3, Serum;C3;Complement Component C3c|mg/dL;;;g/L*0.01:2|82..167|0
c4|4498-2|Complement C4, Serum;C4;Complement Component C4c|mg/dL;;;g/L*0.01:2|12..38|0
iga|2458-8|Immunoglobulin A, Qn, Serum;IGA;Immunoglobulin A|mg/dL;;;g/L*0.01:2|61..437|0
igg|2465-3|Immunoglobulin G, Qn, Serum;IGG;Immunoglobulin G|mg/dL;;;g/L*0.01:2|603..1613|0
igm|2472-9|Immunoglobulin M, Qn, Serum;IGM;Immunoglobulin M|mg/dL;;;g/L*0.01:2|20..172|0
c1q|-|C1 Esterase Inhibitor;C1INH;C1 Esterase Inhibitor, Protein|mg/dL|21..39|0
chlamydia|21613-5|Chlamydia trachomatis, NAA;CT NAA;Chlamydia trachomatis DNA||text:Negative/Positive|0
gonorrhea|24111-7|Neisseria gonorrhoeae, NAA;NG NAA;Neisseria gonorrhoeae DNA||text:Negative/Positive|0
trichomonas|-|Trichomonas vaginalis, NAA;TV NAA;Trichomonas vaginalis RNA, QL TMA||text:Negative/Positive|0
hiv|56888-1|HIV Screen 4th Generation wRfx;HIV AG/AB;HIV Ag/Ab, 4th Generation||text:Non-Reactive/Reactive|0
rpr|20507-0|RPR;RPR;RPR (Rapid Plasma Reagin)||text:Non-Reactive/Reactive|0
treponema|24110-9|T pallidum Antibodies;TREP AB;Treponema pallidum Antibodies||text:Non-Reactive/Reactive|0
hbsag|5196-1|HBsAg Screen;HBSAG;Hepatitis B Surface Antigen||text:Negative/Positive|0
hbsab|22322-2|Hep B Surface Ab, Qual;HBSAB;Hepatitis B Surface Antibody, Qual||text:/Reactive,Non-Reactive|0
hbcab|13952-7|Hep B Core Ab, Tot;HBCAB;Hepatitis B Core Antibody, Total||text:Negative/Positive|0
hcv|16128-1|Hep C Virus Ab;HCV AB;Hepatitis C Antibody||text:Non-Reactive/Reactive|0
hav-igm|22314-9|Hep A Ab, IgM;HAV IGM;Hepatitis A IgM Antibody||text:Negative/Positive|0
hsv-2|-|HSV 2 IgG, Type Spec;HSV2 IGG;Herpes Simplex Virus 2 IgG, Type Specific|index;index;index|..<0.91|2
rubella|-|Rubella Antibodies, IgG;RUBELLA IGG;Rubella Antibody (IgG), Immune Status|index;index;index|0.99>..|2
measles|-|Rubeola Ab, IgG;RUBEOLA IGG;Measles (Rubeola) Antibody, IgG|AU/mL|16.4>..|1
h-pylori|17780-8|H pylori Ag, Stool;H PYLORI AG;Helicobacter pylori Antigen, Stool||text:Negative/Positive|0
fit|29771-3|Occult Blood, Fecal, IA;FIT;Fecal Occult Blood, Immunochemical||text:Negative/Positive|0
calprotectin|-|Calprotectin, Fecal;CALPRO;Calprotectin, Stool|ug/g;mcg/g|..120|0
covid|-|SARS-CoV-2, NAA;COVID-19;SARS CoV 2 RNA, RT PCR||text:Not Detected/Detected|0
influenza-a|-|Influenza A, NAA;FLU A;Influenza A RNA||text:Not Detected/Detected|0
influenza-b|-|Influenza B, NAA;FLU B;Influenza B RNA||text:Not Detected/Detected|0
ige|19113-0|Immunoglobulin E, Total;IGE;Immunoglobulin E|IU/mL;IU/mL;kU/L|6..495|0
dust-mite|6095-4|D farinae;D FARINAE;Dust Mite (D. farinae) (d2) IgE|kU/L|..<0.10|2
cat|6833-8|Cat Dander;CAT DANDER;Cat Dander (e1) IgE|kU/L|..<0.10|2
dog|6098-8|Dog Dander;DOG DANDER;Dog Dander (e5) IgE|kU/L|..<0.10|2
ragweed|6085-5|Ragweed, Short;RAGWEED;Common Ragweed (Short) (w1) IgE|kU/L|..<0.10|2
oak|6189-5|Oak, White;OAK;White Oak (t7) IgE|kU/L|..<0.10|2
timothy|-|Timothy Grass;TIMOTHY;Timothy Grass (g6) IgE|kU/L|..<0.10|2
peanut|6206-7|Peanut;PEANUT;Peanut (f13) IgE|kU/L|..<0.10|2
walnut|6273-7|Walnut;WALNUT;Walnut (f256) IgE|kU/L|..<0.10|2
milk|7258-7|Milk (Cow);MILK;Cow's Milk (f2) IgE|kU/L|..<0.10|2
egg-white|6106-9|Egg White;EGG WHITE;Egg White (f1) IgE|kU/L|..<0.10|2
wheat|6276-0|Wheat;WHEAT;Wheat (f4) IgE|kU/L|..<0.10|2
soybean|6248-9|Soybean;SOYBEAN;Soybean (f14) IgE|kU/L|..<0.10|2
shrimp|6246-3|Shrimp;SHRIMP;Shrimp (f24) IgE|kU/L|..<0.10|2
sesame|-|Sesame Seed;SESAME;Sesame Seed (f10) IgE|kU/L|..<0.10|2
u-color|5778-6|Urine-Color;COLOR;Color, Urine;Color||text:Yellow/Orange,Brown,Red|0
u-appearance|5767-9|Appearance;APPEARANCE;Appearance, Urine;Clarity||text:Clear/Cloudy,Turbid,Hazy|0
u-gravity|5811-5|Specific Gravity;SP GRAVITY;Specific Gravity, Urine||1.005..1.030|3
u-ph|5803-2|pH;PH;pH, Urine||5.0..7.5|1
u-protein|5804-0|Protein;PROTEIN;Protein, Urine||text:Negative/Trace,1+,2+,3+|0
u-glucose|5792-7|Glucose;GLUCOSE;Glucose, Urine||text:Negative/Trace,1+,2+,3+|0
u-ketones|5797-6|Ketones;KETONES;Ketones, Urine||text:Negative/Trace,1+,2+|0
u-blood|5794-3|Occult Blood;BLOOD;Blood, Urine;Occult Blood||text:Negative/Trace,1+,2+,3+|0
u-bilirubin|5770-3|Bilirubin;BILIRUBIN;Bilirubin, Urine||text:Negative/Positive,1+|0
u-urobilinogen|5818-0|Urobilinogen,Semi-Qn;UROBILINOGEN;Urobilinogen, Urine|mg/dL;mg/dL;mg/dL|0.2..1.0|1
u-nitrite|5802-4|Nitrite, Urine;NITRITE;Nitrite, Urine;Nitrites||text:Negative/Positive|0
u-esterase|5799-2|WBC Esterase;LEUK ESTERASE;Leukocyte Esterase, Urine;Leukocyte Esterase||text:Negative/Trace,1+,2+,3+|0
u-wbc|5821-4|WBC;WBC;WBC, Urine|/hpf;/HPF;/HPF|count:0-5/6-10,11-20,21-50|0
u-rbc|13945-1|RBC;RBC;RBC, Urine|/hpf;/HPF;/HPF|count:0-2/3-10,11-30|0
u-epithelial|5787-7|Epithelial Cells (non renal);EPITH CELLS;Squamous Epithelial Cells, Urine|/hpf;/HPF;/HPF|count:0-10/11-20|0
u-casts|5796-8|Hyaline Casts;HYALINE CASTS;Hyaline Cast, Urine||text:None seen/Present,0-5|0
u-bacteria|25145-4|Bacteria;BACTERIA;Bacteria, Urine||text:None seen/Few,Moderate,Many|0
u-yeast|-|Yeast;YEAST;Yeast, Urine||text:None seen/Present,Few|0
u-mucus|-|Mucus Threads;MUCUS;Mucus, Urine||text:None seen/Present|0
u-creatinine|2161-8|Creatinine, Urine;U CREAT;Creatinine, Random Urine|mg/dL|20.0..275.0|1
u-albumin|14957-5|Albumin, Urine;U MICROALB;Microalbumin, Urine|mg/dL|..<3.0|1
u-albumin-ratio|14959-1|Alb/Creat Ratio;ACR;Albumin/Creatinine Ratio, Urine|mg/g creat;mg/g;mcg/mg creat|..29|0
u-protein-total|2888-6|Protein, Total, Urine;U PROTEIN;Protein, Total, Random Urine|mg/dL|..<15.0|1
u-protein-ratio|2890-2|Protein/Creat Ratio;PCR;Protein/Creatinine Ratio, Urine|mg/g creat;mg/g;mg/g creat|..200|0
amphetamines|3349-8|Amphetamines;AMP;Amphetamines, Urine;Amphetamines Scrn, Urine||text:Negative/Positive|0
barbiturates|3377-9|Barbiturates;BARB;Barbiturates, Urine;Barbiturate Screen, Urine||text:Negative/Positive|0
benzodiazepines|3390-2|Benzodiazepines;BENZO;Benzodiazepines, Urine;Benzodiazepine Scrn, Ur||text:Negative/Positive|0
cocaine|3397-7|Cocaine (Metab.);COC;Cocaine Metabolite, Urine;Cocaine Metab Screen, Urine||text:Negative/Positive|0
opiates|3879-4|Opiates;OPI;Opiates, Urine;Opiate Scrn, Urine||text:Negative/Positive|0
methadone|3773-9|Methadone;MTD;Methadone, Urine;Methadone Screen, Urine||text:Negative/Positive|0
cannabinoids|-|Cannabinoids;THC;Marijuana Metabolite (THC), Urine||text:Negative/Positive|0
phencyclidine|-|Phencyclidine;PCP;Phencyclidine (PCP), Urine||text:Negative/Positive|0
lithium|14334-7|Lithium (Eskalith), Serum;LITHIUM;Lithium, Serum;Lithium|mmol/L;mEq/L|0.5..1.2|1
tacrolimus|11253-2|Tacrolimus (FK506), Blood;TACRO;Tacrolimus, Highly Sensitive|ng/mL|5.0..20.0|1
digoxin|-|Digoxin, Serum;DIGOXIN;Digoxin|ng/mL|0.5..0.9|1
valproate|-|Valproic Acid, Serum;VALPROIC;Valproic Acid|ug/mL;mcg/mL|50..100|0
lead|-|Lead, Blood;LEAD;Lead, Blood (Venous)|ug/dL;mcg/dL|..<3.5|1
`;
