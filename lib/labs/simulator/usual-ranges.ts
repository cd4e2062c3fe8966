/**
 * Ranges that are usual for adults, by LOINC code, for made-up results: examples and no reference, in the unit in which
 * the catalogue has the result. M and F as laboratories print them.
 */
export const usualRanges: Readonly<Record<string, string>> = {
  "2345-7": "70-99",
  "3094-0": "7-20",
  "2160-0": "M: 0.74-1.35; F: 0.59-1.04",
  "2951-2": "135-145",
  "2823-3": "3.5-5.2",
  "2075-0": "98-107",
  "2028-9": "22-29",
  "17861-6": "8.6-10.3",
  "2885-2": "6.0-8.3",
  "1751-7": "3.5-5.0",
  "1975-2": "0.1-1.2",
  "6768-6": "40-129",
  "1920-8": "8-40",
  "1742-6": "7-56",
  "2093-3": "<200",
  "2085-9": ">=40",
  "2571-8": "<150",
  "4548-4": "4.0-5.6",
  "3016-3": "0.4-4.5",
  "3024-7": "0.8-1.8",
  "718-7": "M: 13.5-17.5; F: 12.0-15.5",
  "4544-3": "M: 38-50; F: 35-45",
  "6690-2": "4.0-11.0",
  "777-3": "150-400",
  "2276-4": "M: 24-336; F: 11-307",
  "2132-9": "200-900",
  "1988-5": "<8.0",
  "30522-7": "<3.0",
};

/** The range of a result that is not in the list. */
export const OTHER_RANGE = "10-100";
