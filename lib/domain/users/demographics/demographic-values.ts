/** Known demographic values in four fields that laboratories receive. All lists are open. */
export const races = [
  "african_american_or_black",
  "asian",
  "indigenous_native_american_alaska_native",
  "other",
  "pacific_islander_or_hawaiian",
  "white_caucasian",
];
export const ethnicities = ["hispanic", "non_hispanic", "ashkenazi_jewish", "other"];
export const sexualOrientations = [
  "lesbian_gay_or_homosexual",
  "heterosexual_or_straight",
  "bisexual",
  "dont_know",
  "other",
];
export const genderIdentities = [
  "male",
  "female",
  "female_to_male_ftm_transgender_male_trans_man",
  "male_to_female_mtf_transgender_female_trans_woman",
  "genderqueer",
  "other",
];

/** Known genders; an open list. */
export const genders = ["female", "male", "other", "unknown"];
