/**
 * A kind of sport from a provider's word for it, such as `STRENGTH_TRAINING`. @param others what the provider calls
 * differently, by its word.
 */
export function toSport(word: string, others: Readonly<Record<string, string>> = {}) {
  const words =
    (others[word] ?? word)
      .replaceAll(/[^A-Za-z0-9]+/g, " ")
      .trim()
      .toLowerCase() || "unknown";
  return { name: words.charAt(0).toUpperCase() + words.slice(1), slug: words.replaceAll(" ", "_") };
}
