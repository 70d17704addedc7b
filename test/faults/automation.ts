import type { Fault } from './fault.ts'

/** Enrichers. */
export const automationFaults: readonly Fault[] = [
  {
    breaks: 'a value that was put on an exclusion list after it was queued is sent',
    file: 'server/automation/enrichers/lanes/look-up.ts',
    from: 'if (permission.rank === null) return withhold',
    to: 'if (!permission.isWanted) return withhold',
    tests: ['server/automation/enrichers/lanes/disclosure.test.ts'],
  },
  {
    breaks: 'a finding about an AMBER observable shows at GREEN',
    file: 'server/automation/enrichers/requests/enqueue.ts',
    from: 'Math.max(observableRank, colour === null ? 0 : tlpRank(colour))',
    to: 'colour === null ? 0 : tlpRank(colour)',
    tests: ['server/automation/enrichers/lanes/disclosure.test.ts'],
  },
  {
    breaks: 'observables above the maximum colour of an enricher are sent',
    file: 'server/automation/enrichers/requests/classify.ts',
    from: 'rank > tlpRank(max_tlp)',
    to: 'rank > tlpRank(max_tlp) + 1',
    tests: ['server/automation/enrichers/lanes/disclosure.test.ts'],
  },
  {
    breaks: 'an enricher makes one call more than its limit',
    file: 'server/automation/enrichers/budget.ts',
    from: 'const room = budget.calls - Math.min(needed, budget.calls)',
    to: 'const room = budget.calls',
    tests: ['server/automation/enrichers/budget.test.ts'],
  },
  {
    breaks: 'a window of calls is forgotten before its end',
    file: 'server/automation/enrichers/budget.ts',
    from: 'start + widthOf(budget) + budget.seconds * 1000',
    to: 'start + budget.seconds * 1000',
    tests: ['server/automation/enrichers/budget.test.ts'],
  },
  {
    breaks: 'the findings of a process that lost its claim are stored as well',
    file: 'server/automation/enrichers/lanes/store-result.ts',
    from: 'and claim = ${claim}::uuid',
    to: 'and ${claim}::uuid is not null',
    tests: ['server/automation/enrichers/lanes/fence.test.ts'],
  },
  {
    breaks: 'a failed look-up is used again as if it were a result',
    file: 'server/automation/enrichers/requests/candidates.ts',
    from: "f.state in ('FOUND', 'EMPTY') and f.expires_at > now()",
    to: "f.state in ('FOUND', 'EMPTY', 'FAILED') and coalesce(f.expires_at, 'infinity') > now()",
    tests: ['server/automation/enrichers/enrichers.test.ts'],
  },
  {
    breaks: 'a secret of an enricher follows it to another server',
    file: 'server/automation/enrichers/parameters.ts',
    from: 'return readersOf(enricher, parameters).some((reader) => !known.has(reader))',
    to: 'return known.size === 0',
    tests: ['server/automation/enrichers/enrichers.test.ts'],
  },
  {
    breaks: 'a refusal of the credentials does not suspend the enricher',
    file: 'server/automation/enrichers/lanes/look-up.ts',
    from: "if (fault === 'refused') {",
    to: "if (fault === 'refused' && message === '') {",
    tests: ['server/automation/enrichers/lanes/lanes.test.ts'],
  },
  {
    breaks: 'the link of a source that no longer knows it stays',
    file: 'server/automation/enrichers/lanes/store-findings.ts',
    from: 'where l.enricher = ${enricher} and l.observable = ${observable}\n      and not (',
    to: 'where l.enricher = ${enricher} and l.observable = ${observable} and false\n      and not (',
    tests: ['server/automation/enrichers/enrichers.test.ts'],
  },
]
