/** HTML in which every outside value is escaped. */
export class Html {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Template tag. Escapes values unless they are Html, and joins lists. */
  static of(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
    return new Html(parts.reduce((text, part, index) => `${text}${Html.#escaped(values[index - 1] ?? "")}${part}`));
  }

  /** Wraps a constant of the page without escaping. */
  static trusted(constant: string): Html {
    return new Html(constant);
  }

  static #escaped(value: string | Html | readonly Html[]): string {
    if (value instanceof Html) return value.text;
    if (typeof value !== "string") return value.map(({ text }) => text).join("");
    return value.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  }
}
