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
    breaks: 'a forced submission is answered by a result',
    file: `${folder}/detonations/ask.ts`,
    from: 'and t.expires_at > now() and not i.is_forced',
    to: 'and t.expires_at > now()',
    tests: tests('detonations/detonate-again.test.ts'),
  },
  {
    breaks: 'a forced submission joins one that a known result may answer',
    file: `${folder}/detonations/ask.ts`,
    from: 'held.key = i.key and held.is_forced >= i.is_forced',
    to: 'held.key = i.key',
    tests: tests('detonations/detonate-again.test.ts'),
  },
  {
    breaks: 'the colour that a sample had is lost when it is submitted again',
    file: `${folder}/detonations/request.ts`,
    from: 'rank: Math.max(given, found.rank)',
    to: 'rank: given',
    tests: tests('detonations/detonate-again.test.ts'),
  },
  {
    breaks: 'samples are submitted again without the permission to read them',
    file: `${folder}/detonations/detonated-sample.ts`,
    from: 'if (lacking.length > 0) throw missing(lacking)',
    to: 'if (lacking.length > 9) throw missing(lacking)',
    tests: tests('detonations/detonate-again.test.ts'),
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
  {
    breaks: 'a submission is counted after it was made',
    file: `${folder}/lane/advance.ts`,
    from: `    if (!(await reserveSubmission(server.db, claimed, { rank: rank ?? 0, name }))) return false
    const analysis = await adapter.submit(call, sample, work.options)
`,
    to: `    const analysis = await adapter.submit(call, sample, work.options)
    if (!(await reserveSubmission(server.db, claimed, { rank: rank ?? 0, name }))) return false
`,
    tests: tests('lane/lane.test.ts'),
  },
  {
    breaks: 'samples are submitted for users who no longer see them',
    file: `${folder}/lane/requesters.ts`,
    from: 'const sample = await seenNow(ctx, { ...origin, kind, size, md5, sha1, sha256, url })',
    to: 'const sample = { ...origin, kind, size, md5, sha1, sha256, url, rank: origin.given }',
    tests: tests('lane/interruptions.test.ts'),
  },
  {
    breaks: 'samples are submitted for users who lost the permission',
    file: `${folder}/lane/requesters.ts`,
    from: '!caller || needed.some((permission) => !caller.permissions.has(permission))',
    to: '!caller || needed.length === 0',
    tests: tests('lane/interruptions.test.ts'),
  },
  {
    breaks: 'only the first call of a detonation is checked',
    file: `${folder}/lane/advance.ts`,
    from: 'check: async () => void (await check())',
    to: 'check: async () => {}',
    tests: tests('lane/interruptions.test.ts'),
  },
  {
    breaks: 'a report is less restricted than its sample',
    file: `${folder}/lane/store-report.ts`,
    from: 'Math.max(work.rank ?? 0, permission.rank ?? 0)',
    to: '0',
    tests: tests('lane/interruptions.test.ts'),
  },
  {
    breaks: 'the report of a process that lost its claim is stored',
    file: `${folder}/lane/store-report.ts`,
    from: "where id = ${id}::uuid and claim = ${claim}::uuid and state = 'REPORTING' for update",
    to: "where id = ${id}::uuid and ${claim}::uuid is not null and state = 'REPORTING' for update",
    tests: tests('lane/interruptions.test.ts'),
  },
  {
    breaks: 'consent to one server holds for another',
    file: `${folder}/terms.ts`,
    from: "accepted.servers = ${column('servers')}",
    to: "${column('servers')} is not null",
    tests: tests('detonations/requests.test.ts'),
  },
  {
    breaks: 'samples on an exclusion list are submitted',
    file: `${folder}/detonations/refusals.ts`,
    from: 'if (list !== undefined) return `It is',
    to: 'if (list === ``) return `It is',
    tests: tests('detonations/requests.test.ts'),
  },
  {
    breaks: 'who cancelled a detonation sees how it goes on for others',
    file: `${folder}/detonations/detonations.ts`,
    from: "when ${own(ctx, 'outcome')} is null or ${seesReport(ctx)} then",
    to: 'when ${sql.lit(true)} then',
    tests: tests('detonations/requesters.test.ts'),
  },
  {
    breaks: 'a report names its entity after that was restricted',
    file: `${folder}/detonations/detonations.ts`,
    from: "${visible(ctx, resource, 'analysis')}",
    to: 'true',
    tests: tests('detonations/requesters.test.ts'),
  },
]
