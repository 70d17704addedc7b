import { COUNTRY_CODES } from './countries.ts'

/** Whether a text in capitals without spaces has the form of an IBAN, right or wrong. */
export const isIbanLike = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text) && COUNTRY_CODES.has(text.slice(0, 2))

/** Matches texts that have the form of an IBAN in any case, with or without spaces. */
export const IBAN_LOOK = new RegExp(
  `^(?=.{1,63}$) *(?:${[...COUNTRY_CODES].map(([first, second]) => `${first} *${second}`).join('|')}) *\\d *\\d(?: *[A-Z\\d]){11,30} *$`,
  'i',
)
