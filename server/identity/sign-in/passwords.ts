import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../../engine/errors.ts'
import type { AccountPolicy } from './account-policy.ts'

/** Longer ones only cost time; nobody types them. */
export const LONGEST_PASSWORD = 1024

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Where there is no user there is no hash; checking this one instead takes just as long, and no password fits it. */
const NO_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Turns a password into what is stored of it. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password.normalize('NFKC'), COST))

/** Whether a password is the right one; takes the same time when there is none to compare with. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await inTurn(() => verify(stored ?? NO_HASH, password.normalize('NFKC')))
  return isRight && typeof stored === 'string'
}

/** Every rule of the policy that a password breaks, each as a fault of the field that it came in. */
export function brokenRules(policy: AccountPolicy, field: string, password: string): string[] {
  const length = [...password].length
  const rules: [isBroken: boolean, rule: string][] = [
    [length < policy.password_min_length, `must have at least ${policy.password_min_length} characters`],
    [length > LONGEST_PASSWORD, `must have at most ${LONGEST_PASSWORD} characters`],
    [policy.password_requires_capital_letters && !/\p{Lu}/u.test(password), 'must have a capital letter'],
    [policy.password_requires_numbers && !/\p{Nd}/u.test(password), 'must have a number'],
    [policy.password_requires_special_chars && !/[^\p{L}\p{N}\s]/u.test(password), 'must have a special character'],
  ]
  return rules.filter(([isBroken]) => isBroken).map(([, rule]) => `${field}: ${rule}`)
}

// One hash takes 19 MB and a processor for some 30 ms: without a limit, a flood of sign-ins would take all of both.
const PLACES = Math.max(1, Math.min(4, availableParallelism() - 1))
const LONGEST_QUEUE = 100
const queue: (() => void)[] = []
let running = 0

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (queue.length >= LONGEST_QUEUE) throw new ApiError(429, 'Too many passwords are being checked; try again.')
  if (running >= PLACES) await new Promise<void>((resolve) => queue.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    // The place goes straight to the next in the queue, so that nobody can slip in between.
    const next = queue.shift()
    if (next) next()
    else running--
  }
}
