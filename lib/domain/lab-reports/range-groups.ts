/** Words of people for whom a range holds: of one sex, or of an age. */
const GROUP =
  /^(?:adults?|child(?:ren)?|infants?|newborns?|neonates?|p(?:a)?ediatric|males?|females?|men|man|women|woman|boys?|girls?|m|f|pregnan\w*|\(?(?:[<>≤≥]=?\s*)?\d+(?:\s*(?:-|–|to)\s*\d+)?\s*\+?\s*(?:years?|yrs?|y\/?o?|months?|mos?|days?|weeks?))(?!\p{L})/iu;

/** Whether a text begins with people for whom a range holds. */
export const isGroup = (text: string): boolean => GROUP.test(text.trim());
