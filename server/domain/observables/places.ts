import { COUNTRY_CODES } from './countries.ts'
import { type Rule, withPlainDashes } from './rule.ts'
import { telephoneOf } from './telephone.ts'
import type { ObservableType } from './types.ts'

/** Where something is, and how one reaches it. */
export const placeRules = {
  'country-code': {
    form: 'a country code of ISO 3166-1 such as NL, two letters',
    maximum: 2,
    normalise: countryOf,
  },
  geo: {
    form: 'a latitude and a longitude in degrees such as 52.37,4.89',
    maximum: 100,
    normalise: pointOf,
  },
  'geo-lat': {
    form: 'a latitude in degrees such as 52.37, from -90 to 90',
    maximum: 40,
    normalise: (text) => degreesOf(text, 90),
  },
  'geo-long': {
    form: 'a longitude in degrees such as 4.89, from -180 to 180',
    maximum: 40,
    normalise: (text) => degreesOf(text, 180),
  },
  postcode: {
    form: 'a postcode such as 1012 JS: letters, digits, spaces and dashes',
    maximum: 16,
    normalise: postcodeOf,
  },
  telephone: {
    form: 'a telephone number such as +31 20 123 4567, 3 to 15 digits, with an extension or without',
    maximum: 64,
    normalise: telephoneOf,
  },
} as const satisfies Partial<Record<ObservableType, Rule>>

function countryOf(text: string): string | undefined {
  const code = text.toUpperCase()
  // ISO 3166-1 keeps UK free for the country whose code is GB.
  if (code === 'UK') return 'GB'
  return COUNTRY_CODES.has(code) ? code : undefined
}

function pointOf(text: string): string | undefined {
  const [first = '', second = '', ...more] = text.replace(/^geo:/i, '').split(/\s*[,;]\s*|\s+/)
  const [latitude, longitude] = [degreesOf(first, 90), degreesOf(second, 180)]
  return latitude && longitude && more.length === 0 ? `${latitude},${longitude}` : undefined
}

/** Digits as they came, without the zeros that say nothing: a number would lose the last of them. */
function degreesOf(text: string, maximum: number): string | undefined {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d{1,3})(?:\.(\d{0,20}))?°?$/.exec(withPlainDashes(text)) ?? []
  if (whole === '' || Number(`${whole}.${fraction}`) > maximum) return undefined
  const decimals = fraction.replace(/(?<!0)0+$/, '')
  // 90.00000000000000001 is 90 to a double.
  if (Number(whole) === maximum && decimals !== '') return undefined
  const number = `${Number(whole)}${decimals && `.${decimals}`}`
  return sign === '-' && number !== '0' ? `-${number}` : number
}

function postcodeOf(text: string): string | undefined {
  const code = withPlainDashes(text).replace(/\s+/g, ' ').toUpperCase()
  return /^[A-Z\d](?:[A-Z\d]|[ -](?=[A-Z\d]))+$/.test(code) ? code : undefined
}
