import type { Fault } from './fault.ts'

/** Scheduled work, retries and secrets. */
export const backgroundFaults: readonly Fault[] = [
  {
    breaks: 'a task with an interval is due again at once',
    file: 'server/domain/schedule.ts',
    from: '(missed + 1) * every',
    to: 'missed * every',
    tests: ['server/domain/schedule.test.ts'],
  },
  {
    breaks: 'an hour that a clock change repeats runs a task twice',
    file: 'server/domain/schedule.ts',
    from: 'Math.max((slot ?? now).getTime(), now.getTime() - LONGER_THAN_A_REPEATED_HOUR_MS)',
    to: 'now.getTime()',
    tests: ['server/domain/schedule.test.ts'],
  },
  {
    breaks: 'a task run that lost its worker overwrites the report of the next attempt',
    file: 'server/background/states.ts',
    from: "where r.id = i.id and r.state = 'STARTED' and r.attempt = i.attempt`",
    to: 'where r.id = i.id`',
    tests: ['server/background/states.test.ts'],
  },
  {
    breaks: 'a secret is kept when the port of its server changes',
    file: 'server/engine/bound-secrets.ts',
    from: 'URL.parse(address)?.origin',
    to: 'URL.parse(address)?.hostname',
    tests: ['server/settings/bound-secrets.test.ts', 'server/feeds/incoming/incoming-feeds.test.ts'],
  },
  {
    breaks: 'the secret of a feed is kept when its proxy changes',
    file: 'server/feeds/transports/transport-secrets.ts',
    from: '...(proxy ? [`proxy ${originOf(proxy)}`] : []),',
    to: "...(proxy ? ['proxy'] : []),",
    tests: ['server/feeds/transports/transport-secrets.test.ts'],
  },
  {
    breaks: 'a process whose lease ran out handles changes that another one has handled',
    file: 'server/background/followers/follower.ts',
    from: 'if (!(await movePosition(ctx.db, key, position, end))) return false',
    to: 'await movePosition(ctx.db, key, position, end)',
    tests: ['server/background/followers/followers.test.ts'],
  },
  {
    breaks: 'the depth of automation does not grow from cause to effect',
    file: 'server/engine/cause.ts',
    from: 'depth: 1 + Math.max(0,',
    to: 'depth: Math.max(1,',
    tests: ['server/background/followers/causes.test.ts'],
  },
  {
    breaks: 'a webhook that is redirected counts as delivered',
    file: 'server/changes/webhooks/send.ts',
    from: 'if (status >= 200 && status < 300) return null',
    to: 'if (status >= 200 && status < 400) return null',
    tests: ['server/changes/webhooks/delivering/failures.test.ts'],
  },
  {
    breaks: 'the signature of a webhook does not cover its timestamp',
    file: 'server/changes/webhooks/send.ts',
    from: 'update(`${timestamp}.${body}`)',
    to: 'update(body)',
    tests: ['server/changes/webhooks/webhooks.test.ts', 'server/changes/webhooks/delivering/deliveries.test.ts'],
  },
  {
    breaks: 'of several retention policies, the longest wins',
    file: 'server/retention/retention.ts',
    from: 'select p.what, min(p.keep_days) as days',
    to: 'select p.what, max(p.keep_days) as days',
    tests: ['server/retention/retention.test.ts'],
  },
  {
    breaks: 'a disabled retention policy still deletes',
    file: 'server/retention/retention.ts',
    from: 'from retention_policies where is_active\n',
    to: 'from retention_policies\n',
    tests: ['server/retention/retention.test.ts'],
  },
]
