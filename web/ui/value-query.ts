import { refang } from '../../server/domain/observables/refang.ts'

/** Characters that mean something in the language of queries. */
const SPECIAL = /[+\-!(){}[\]^"~*?:\\/&|<>=]/g

const escaped = (word: string): string => word.replaceAll(SPECIAL, '\\$&')

/** A query for observables whose value begins with what is typed; defanged values are found as well. */
export function valueQuery(typed: string): string {
  const value = refang(typed.trim())
  return /\s/.test(value) || value === '' ? '' : `value:${escaped(value)}*`
}
