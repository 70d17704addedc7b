import { type Look, MAX_VALUE_LENGTH } from './definition.ts'
import { refang } from './refang.ts'

/** The type that a bare value looks like, without checking the value: for forms, while people type. */
export function looksLike<T>(
  value: string,
  looks: readonly (Omit<Look, 'order'> & { readonly type: T })[],
): T | undefined {
  const given = value.trim()
  if (given === '' || given.length > MAX_VALUE_LENGTH) return undefined
  const text = refang(given)
  const found = looks.find(({ test }) => test.test(text))
  return found?.sign?.test(text) === false ? undefined : found?.type
}
