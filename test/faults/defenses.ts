import type { Fault } from './fault.ts'

const DEFENSES = ['server/attack/defenses/defenses.test.ts']
const RELATIONSHIPS = ['server/attack/defenses/relationships.test.ts']
const GAINS = ['server/attack/defenses/gains.test.ts']
const LOG_SOURCES = ['server/attack/defenses/log-sources.test.ts']

/** Defenses against techniques, and log sources. */
export const defenseFaults: readonly Fault[] = [
  {
    breaks: 'what belongs to an attack framework can be changed and deleted',
    file: 'server/attack/defenses/system-rows.ts',
    from: ' and t.is_system\n',
    to: ' and false\n',
    tests: [...DEFENSES, ...RELATIONSHIPS],
  },
  {
    breaks: 'relationships keep a type that their defense does not have any more',
    file: 'server/attack/defenses/defense-operations.ts',
    from: 'if (was !== undefined) await retype',
    to: 'if (was === null) await retype',
    tests: DEFENSES,
  },
  {
    breaks: 'an upsert changes relationships of an attack framework',
    file: 'server/attack/defenses/system-rows.ts',
    from: 'is_system ? [',
    to: 'false ? [',
    tests: RELATIONSHIPS,
  },
  {
    breaks: 'a defense works against a tactic',
    file: 'server/attack/defenses/techniques.ts',
    from: 'isTechnique(node) ?',
    to: 'node ?',
    tests: [...DEFENSES, ...RELATIONSHIPS],
  },
  {
    breaks: 'a list of a defense adds to its relationships without removing others',
    file: 'server/attack/defenses/relate.ts',
    from: 'where not t.is_system and t.',
    to: 'where t.is_system and t.',
    tests: DEFENSES,
  },
  {
    breaks: 'a relationship that exists is stored again with another type',
    file: 'server/attack/defenses/relate.ts',
    from: 'where not exists (',
    to: 'where true or not exists (',
    tests: DEFENSES,
  },
  {
    breaks: 'a log source that analytics need is deleted',
    file: 'server/attack/defenses/log-source-operations.ts',
    from: '    await requireUnused(ctx, ids, null)\n',
    to: '',
    tests: LOG_SOURCES,
  },
  {
    breaks: 'a log source opens analytics that lack another one as well',
    file: 'server/attack/defenses/gains.ts',
    from: "where missing <> '{}' and missing <@ missing[1:1]",
    to: "where missing <> '{}'",
    tests: GAINS,
  },
  {
    breaks: 'a log source opens techniques that are detectable already',
    file: 'server/attack/defenses/gains.ts',
    from: 'filter (where technique not in (select technique from detectable))',
    to: 'filter (where technique is not null)',
    tests: GAINS,
  },
  {
    breaks: 'a technique counts once for each of its places',
    file: 'server/attack/defenses/gains.ts',
    from: '(id) => nodes.get(id)?.external_id ?? id',
    to: '(id) => id',
    tests: GAINS,
  },
]
