/** Characters that mean something in the language of queries. */
const SPECIAL = /[+\-!(){}[\]^"~*?:\\/&|<>=]/g

const escaped = (word: string): string => word.replaceAll(SPECIAL, '\\$&')

/** A query for observables whose value begins with what is typed; defanged values are found as well. */
export function valueQuery(typed: string): string {
  const value = typed
    .trim()
    .replaceAll(/\[\.\]|\(\.\)|\[dot\]/gi, '.')
    .replace(/^hxxp/i, 'http')
    .replaceAll('[:]', ':')
  return /\s/.test(value) || value === '' ? '' : `value:${escaped(value)}*`
}
