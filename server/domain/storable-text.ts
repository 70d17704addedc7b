/** Cuts a text from outside to a length, and replaces what PostgreSQL cannot store. */
export const storableText = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\uFFFD')
