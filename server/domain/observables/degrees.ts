import { withPlainDashes } from './spelling.ts'

/** Digits as they came, without the zeros that say nothing: a number would lose the last of them. */
export function degreesOf(text: string, maximum: number): string | undefined {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d{1,3})(?:\.(\d{0,20}))?°?$/.exec(withPlainDashes(text)) ?? []
  if (whole === '' || Number(`${whole}.${fraction}`) > maximum) return undefined
  const decimals = fraction.replace(/(?<!0)0+$/, '')
  // 90.00000000000000001 is 90 to a double.
  if (Number(whole) === maximum && decimals !== '') return undefined
  const number = `${Number(whole)}${decimals && `.${decimals}`}`
  return sign === '-' && number !== '0' ? `-${number}` : number
}
