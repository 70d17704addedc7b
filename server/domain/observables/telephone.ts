import { withPlainDashes } from './rule.ts'

/**
 * A telephone number as digits: with a plus when it says its country, else as it is dialled at home, for without the
 * country nobody can tell which country's it is. An extension follows as in RFC 3966: `+31201234567;ext=12`.
 */
export function telephoneOf(text: string): string | undefined {
  const plain = withPlainDashes(text).replace(/^tel:/i, '')
  const [, number = '', extension] =
    /^([+\d().\s/-]+?)(?:\s?(?:;ext=|ext\.?|extension|x|#)\s?(\d{1,8}))?$/i.exec(plain) ?? []
  // The zero in "+44 (0)20 …" is only dialled inside the country.
  const local = number.replace(/^\s?(\+|00)([\d\s]+)\(0\)/, '$1$2').replace(/[().\s/-]/g, '')
  const digits = local.replace(/^00/, '+')
  if (!/^(?:\+[1-9]\d{2,14}|\d{3,15})$/.test(digits)) return undefined
  return extension === undefined ? digits : `${digits};ext=${extension}`
}
