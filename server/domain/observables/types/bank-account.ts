import type { ObservableDefinition } from '../definition.ts'
import { IBAN_LOOK, isIbanLike } from '../iban.ts'
import { withPlainDashes } from '../spelling.ts'

export const bankAccount = {
  type: 'bank-account',
  form: 'an IBAN with the right check digits, or an account number of 4 to 34 letters and digits',
  maximum: 64,
  normalise: accountOf,
  looks: [{ order: 320, test: IBAN_LOOK }],
  examples: {
    good: [
      ['gb82 west 1234 5698 7654 32', 'GB82WEST12345698765432'],
      ['IBAN: DE89-3704-0044-0532-0130-00', 'DE89370400440532013000'],
      ['19-2000145399/0800', '192000145399/0800'],
      ['12345678', '12345678'],
    ],
    bad: ['', 'GB83WEST12345698765432', '123', 'account', '1234;5678', '1'.repeat(35)],
  },
} as const satisfies ObservableDefinition

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
