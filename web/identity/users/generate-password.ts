/** Character sets without characters that look alike. */
const CHARACTER_SETS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '!#%+-=?@_'] as const

const PASSWORD_LENGTH = 20

/** A uniformly distributed random number below a bound. */
function below(bound: number): number {
  const limit = Math.floor(2 ** 32 / bound) * bound
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return drawn < limit ? drawn % bound : below(bound)
}

const oneOf = (letters: string): string => letters.charAt(below(letters.length))

/** A one-time password that satisfies every possible account policy. */
export function generatePassword(): string {
  const all = CHARACTER_SETS.join('')
  const letters = [
    ...CHARACTER_SETS.map(oneOf),
    ...Array.from({ length: PASSWORD_LENGTH - CHARACTER_SETS.length }, () => oneOf(all)),
  ]
  for (let i = letters.length - 1; i > 0; i -= 1) {
    const j = below(i + 1)
    const [a = '', b = ''] = [letters[i], letters[j]]
    letters[i] = b
    letters[j] = a
  }
  return letters.join('')
}
