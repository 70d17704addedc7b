import { refang } from '../../server/domain/observables/refang.ts'

/** Characters with a meaning in the query language. */
const SPECIAL = /[+\-!(){}[\]^"~*?:\\/&|<>=]/g

const escaped = (word: string): string => word.replaceAll(SPECIAL, '\\$&')

/** A query for observables whose value starts with the typed text, defanged or not. */
export function valueQuery(typed: string): string {
  const value = refang(typed.trim())
  return /\s/.test(value) || value === '' ? '' : `value:${escaped(value)}*`
}
