import { COUNTRY_CODES } from './countries.ts'

/** Whether a text in capitals without spaces has the form of an IBAN, right or wrong. */
export const isIbanLike = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text) && COUNTRY_CODES.has(text.slice(0, 2))
