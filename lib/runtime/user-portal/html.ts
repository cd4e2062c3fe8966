/** Text of a page in which every value from outside was escaped. */
export class Html {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Writes a page: values are escaped unless they are Html themselves, lists are joined. */
  static of(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
    return new Html(parts.reduce((text, part, index) => `${text}${Html.#escaped(values[index - 1] ?? "")}${part}`));
  }

  /** A constant of the page's own, as it stands. */
  static trusted(constant: string): Html {
    return new Html(constant);
  }

  static #escaped(value: string | Html | readonly Html[]): string {
    if (value instanceof Html) return value.text;
    if (typeof value !== "string") return value.map(({ text }) => text).join("");
    return value.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  }
}
