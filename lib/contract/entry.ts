/** camelCase as the kebab-case of file names. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The file below functions/ that a contract is declared in: folder = tag, name = operationId in kebab-case. */
export function entryFile(contract: { readonly tag: string; readonly operationId: string }): string {
  return `functions/${contract.tag}/${kebabCase(contract.operationId)}.ts`;
}
