import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../../engine/errors.ts'
import { createSemaphore } from '../../engine/semaphore.ts'
import type { AccountPolicy } from './account-policy.ts'

/** Longer passwords only cost time to hash. */
export const MAX_PASSWORD_LENGTH = 1024

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Checked when the user does not exist, so that the check takes as long. No password matches it. */
const NO_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Hashes a password for storage. */
export const hashPassword = (password: string): Promise<string> =>
  withHashSlot(() => hash(password.normalize('NFKC'), COST))

/** Whether the password is right. Takes the same time if there is no hash to compare with. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await withHashSlot(() => verify(stored ?? NO_HASH, password.normalize('NFKC')))
  return isRight && typeof stored === 'string'
}

/** All policy rules that a password breaks, as errors of the given field. */
export function brokenRules(policy: AccountPolicy, field: string, password: string): string[] {
  const length = [...password].length
  const rules: [isBroken: boolean, rule: string][] = [
    [length < policy.password_min_length, `must have at least ${policy.password_min_length} characters`],
    [length > MAX_PASSWORD_LENGTH, `must have at most ${MAX_PASSWORD_LENGTH} characters`],
    [policy.password_requires_capital_letters && !/\p{Lu}/u.test(password), 'must contain an upper-case letter'],
    [policy.password_requires_numbers && !/\p{Nd}/u.test(password), 'must contain a number'],
    [policy.password_requires_special_chars && !/[^\p{L}\p{N}\s]/u.test(password), 'must contain a special character'],
  ]
  return rules.filter(([isBroken]) => isBroken).map(([, rule]) => `${field}: ${rule}`)
}

// One hash takes 19 MB and about 30 ms of CPU time: without a limit, a flood of sign-ins would exhaust both.
const HASH_SLOTS = Math.max(1, Math.min(4, availableParallelism() - 1))
const MAX_QUEUED_HASHES = 100
const withHashSlot = createSemaphore(HASH_SLOTS, {
  maxQueued: MAX_QUEUED_HASHES,
  refuse: () => new ApiError(429, 'Too many passwords are being checked. Try again.'),
})
