/** Converts camelCase to kebab-case. */
function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Returns the file below functions/ that declares a contract: the tag is the folder, the operationId in kebab-case is
 * the name.
 */
export function entryFile(contract: { readonly tag: string; readonly operationId: string }): string {
  return `functions/${contract.tag}/${kebabCase(contract.operationId)}.ts`;
}
