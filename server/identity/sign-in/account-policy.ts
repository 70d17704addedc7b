import type { Kysely } from 'kysely'
import { z } from 'zod'
import { defineSetting, readSetting } from '../../settings/setting.ts'

/** The rules for passwords, lockout and second factors. */
export const accountPolicy = defineSetting({
  name: 'account-policy',
  doc: 'the rules for passwords, lockout and second factors',
  schema: z.object({
    account_policy_enabled: z.boolean().default(true),
    lockout_attempts: z
      .int()
      .min(0)
      .max(1000)
      .default(5)
      .describe('The number of failed sign-ins that locks an account; 0 means never.'),
    password_min_length: z.int().min(8).max(64).default(10),
    password_requires_capital_letters: z.boolean().default(true),
    password_requires_numbers: z.boolean().default(true),
    password_requires_special_chars: z.boolean().default(true),
    password_reset_link_expiry_in_seconds: z.int().min(3600).max(31_536_000).default(604_800),
    two_factor_authn_enforced: z.boolean().default(false),
    two_factor_suspension_min: z
      .int()
      .min(0)
      .max(525_600)
      .default(0)
      .describe('How many minutes wrong codes suspend an account; 0 locks it instead.'),
  }),
})

export type AccountPolicy = z.output<typeof accountPolicy.schema>

/** What still applies when the policy is disabled. */
const NO_POLICY = {
  lockout_attempts: 0,
  password_min_length: 8,
  password_requires_capital_letters: false,
  password_requires_numbers: false,
  password_requires_special_chars: false,
  two_factor_authn_enforced: false,
} satisfies Partial<AccountPolicy>

/** Returns the account policy in force. */
export async function readAccountPolicy(db: Kysely<unknown>): Promise<AccountPolicy> {
  const policy = await readSetting(db, accountPolicy)
  return policy.account_policy_enabled ? policy : { ...policy, ...NO_POLICY }
}
