import { cryptoAddressOf } from './crypto-address.ts'
import { isIbanLike } from './iban.ts'
import { type Rule, withPlainDashes } from './rule.ts'
import type { ObservableType } from './types.ts'

/** Where money is. */
export const financeRules = {
  card: {
    form: 'the number of a payment card, 12 to 19 digits of which the last one checks the others',
    maximum: 40,
    normalise: cardOf,
  },
  'bank-account': {
    form: 'an IBAN with the right check digits, or an account number of 4 to 34 letters and digits',
    maximum: 64,
    normalise: accountOf,
  },
  'crypto-address': {
    form: 'an address of a cryptocurrency with the right checksum',
    maximum: 160,
    normalise: cryptoAddressOf,
  },
} as const satisfies Partial<Record<ObservableType, Rule>>

function cardOf(text: string): string | undefined {
  const digits = withPlainDashes(text).replace(/[\s-]/g, '')
  return /^\d{12,19}$/.test(digits) && !/^0+$/.test(digits) && hasCheckDigit(digits) ? digits : undefined
}

/** Whether the last digit is the one that ISO/IEC 7812 (Luhn) computes from the others. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = i % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Slashes stay: between account and bank they are part of the number, as in 19-2000145399/0800. */
function accountOf(text: string): string | undefined {
  const account = withPlainDashes(text)
    .replace(/^IBAN[:\s]/i, '')
    .replace(/[\s.-]/g, '')
    .toUpperCase()
  if (!/^[A-Z\d/]{4,34}$/.test(account) || !/\d/.test(account)) return undefined
  return isIbanLike(account) && !isIban(account) ? undefined : account
}

function isIban(account: string): boolean {
  const rotated = account.slice(4) + account.slice(0, 4)
  const digits = rotated.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))
  return BigInt(digits) % 97n === 1n
}
