import type { Context } from '../../engine/context.ts'
import { asUsers } from '../../identity/access/as-user.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import type { Rule } from './rule.ts'

const NEEDED = ['read entities', 'modify entities', 'modify rules'] as const

const TAKE_OVER = 'Save the rule again to take it over.'

/** Why a rule cannot act for its owner, or undefined. */
export function lackOf({ lostSources }: Pick<Rule, 'lostSources'>, owner: Seeing | undefined): string | undefined {
  if (!owner)
    return `The rule acts with the permissions of the user who last saved it, but that account does not exist or is inactive. ${TAKE_OVER}`
  const lacking = NEEDED.filter((permission) => !owner.permissions.has(permission))
  if (lacking.length > 0)
    return `The rule acts with the permissions of the user who last saved it, who lacks: ${lacking.join(', ')}. ${TAKE_OVER}`
  if (lostSources) return 'All sources of the rule were deleted. Choose others, or none for all.'
  return undefined
}

/** The owners of rules, in one statement. */
export const ownersOf = (ctx: Context, rules: readonly Rule[]): Promise<Map<number, Seeing>> =>
  asUsers(ctx, [...new Set(rules.flatMap(({ owner }) => owner ?? []))])
