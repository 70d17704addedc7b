import type { Fault } from './fault.ts'

const folder = 'server/automation/detonators'
const tests = (name: string) => [`${folder}/${name}`]

/** Mistakes in detonators. */
export const detonatorFaults: readonly Fault[] = [
  {
    breaks: 'the limit of submissions per day does not hold',
    file: `${folder}/lane/reserve.ts`,
    from: 'else 0 end < detonation_per_day_limit)',
    to: 'else 0 end <= detonation_per_day_limit)',
    tests: tests('lane/lane.test.ts'),
  },
  {
    breaks: 'a submission that the vendor did not confirm is repeated without asking the vendor',
    file: `${folder}/lane/advance.ts`,
    from: 'if (known) return runs(',
    to: 'if (known && claimed.attempt === 1) return runs(',
    tests: tests('lane/interruptions.test.ts'),
  },
  {
    breaks: 'a process whose claim was taken over goes on',
    file: `${folder}/lane/claim.ts`,
    from: 'where id = ${id}::uuid and claim = ${claim}::uuid and ${IS_UNDER_WAY}',
    to: 'where id = ${id}::uuid and ${claim}::uuid is not null and ${IS_UNDER_WAY}',
    tests: tests('lane/interruptions.test.ts'),
  },
  {
    breaks: 'consent is not checked again before a call',
    file: `${folder}/lane/requesters.ts`,
    from: 'if (!rules.has_consented) {',
    to: 'if (!rules.name) {',
    tests: tests('lane/interruptions.test.ts'),
  },
  {
    breaks: 'samples above the maximum colour are submitted',
    file: `${folder}/detonations/refusals.ts`,
    from: 'sample.rank > tlpRank(max_tlp))',
    to: 'sample.rank > tlpRank(max_tlp) + 1)',
    tests: tests('lane/taint.test.ts'),
  },
  {
    breaks: 'changed terms need no new consent',
    file: `${folder}/terms.ts`,
    from: "and accepted.digest = (${digests}::jsonb ->> ${column('adapter')})",
    to: "and (${digests}::jsonb ->> ${column('adapter')}) is not null",
    tests: tests('detonations/requests.test.ts'),
  },
  {
    breaks: 'requesters who do not see the source of a detonator see its reports',
    file: `${folder}/detonations/detonations.ts`,
    from: 'holdsKey(ctx, sql`t.vis`)',
    to: '(holdsKey(ctx, sql`t.vis`), sql<SqlBool>`true`)',
    tests: tests('detonations/requesters.test.ts'),
  },
  {
    breaks: 'samples are handed out without encryption',
    file: `${folder}/detonations/sample-archive.ts`,
    from: 'password: SAMPLE_PASSWORD, encryptionStrength: 3, level: 0',
    to: 'level: 0',
    tests: tests('lane/lane.test.ts'),
  },
]
