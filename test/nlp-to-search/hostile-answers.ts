import type { Chance } from '../visibility/chance.ts'

/** An answer of a model that is wrong or malicious, and what must be reported of it. */
export interface HostileAnswer {
  readonly said: string
  /** Marks in the names of fields that do not exist, where the answer has the right form. */
  readonly marks: readonly string[]
}

const INJECTIONS = [
  '") OR *:*',
  '*) OR (*:*',
  '\\") OR type:indicator OR ("',
  '" OR _exists_:id OR "',
  'a AND b OR NOT c && d || !e',
  '/.*/',
  '[* TO *]',
  '*',
  '?'.repeat(60),
  '~2',
  'x^99999999999999999999999',
  'now-99999999999y/d',
  '\\u0000',
  '\\',
  'a\u0000b',
  '\ud800',
  '<!-- --> OR *:*',
  "'; drop table entities; --",
  'TO',
  'AND',
  'NOT',
  '-1e308',
  '0x10',
  '\u202e\u200bmalware',
  '\n\n*:*\n',
  '('.repeat(300),
  'é'.repeat(400),
  'w'.repeat(700),
  '',
  '   ',
]
const FIELDS = [
  'type',
  'tags',
  'data.title',
  'data.description',
  'anywhere',
  'created_at',
  'meta.tlp_color',
  'confidence',
  'meta.attacks',
  'meta.taxonomy_paths',
  'sources.name',
  'extracts.value',
  'extracts.kind',
  'data.x_score',
  'relevancy',
  'data.status',
  'meta.is_withdrawn',
  'data.valid_until',
]
const OPERATORS = [
  'is',
  'contains',
  'starts_with',
  'at_least',
  'less_than',
  'between',
  'during',
  'before',
  'after',
  'exists',
]
const WRONG_FIELDS = [
  '__proto__',
  'constructor',
  'data.*',
  '*',
  '_exists_',
  'type:malware) OR (x',
  '"x" OR *',
  'data.x y',
  'DROP TABLE',
  'data.extracts',
  '\u0000',
]
const WRONG_TIMES: readonly unknown[] = [
  'yesterday',
  42,
  [],
  {},
  { kind: 'last', amount: 1e300, unit: 'day' },
  { kind: 'last', amount: -5, unit: 'day' },
  { kind: 'last', amount: 1.5, unit: 'week' },
  { kind: 'last', amount: 9999, unit: 'year' },
  { kind: 'calendar', amount: 99999, unit: 'year' },
  { kind: 'calendar', amount: -1, unit: 'fortnight' },
  { kind: 'next', amount: '3', unit: '__proto__' },
  { kind: 'dates', from: '") OR *:*', to: null },
  { kind: 'dates', from: '2026-02-30', to: '2026-99-99' },
  { kind: 'dates', from: '2026-01-01', to: '2020-01-01' },
  { kind: 'dates', from: '9999-12-31', to: '9999' },
  { kind: 'dates', from: null, to: null },
  { kind: 'always' },
]
const WRONG_VALUES: readonly unknown[] = [
  null,
  'indicator',
  7,
  true,
  {},
  [null, 1, false, {}, ['x']],
  [[['deep']]],
  Array.from({ length: 120 }, (_, i) => `v${i}`),
  Array.from({ length: 60 }, () => '*'),
  [{ toString: 'x' }],
]
const TEXTS = [
  '',
  'I cannot help with that.',
  '[]',
  '[1, 2]',
  'null',
  '{"conditions": {"a": 1}, "groups": "none", "match": 7}',
  '{"conditions": null, "groups": null}',
  '{"query": "*:*"}',
  '{"conditions": [1, "x", null, [], true]}',
  '{"conditions": [], "groups": [[], 1, "type:indicator"]}',
  '```json\n{"match": "all", "conditions": [{"field": "type", "operator": "is", "values": ["malware"]}]}\n```',
  '{"match": "all", "conditions": [{"field": "type"',
  `${'{"groups":['.repeat(300)}${']}'.repeat(300)}`,
  `{"not_expressed": [${Array.from({ length: 60 }, () => '"<script>alert(1)</script> \\u0000"').join()}], "conditions": []}`,
  `{"conditions": [${Array.from({ length: 200 }, (_, i) => `{"field": "tags", "operator": "is", "values": ["t${i}"]}`).join()}]}`,
  '\u0000\u0001{"conditions": "\u0007"}',
]

/** Answers without sense, made by chance. */
export function hostileAnswers(chance: Chance, count: number): HostileAnswer[] {
  return Array.from({ length: count }, (_, n) => {
    if (n < TEXTS.length) return { said: TEXTS[n] ?? '', marks: [] }
    const marks: string[] = []
    const condition = (isCounted: boolean): unknown => {
      const isUnknown = chance.flip(0.25)
      const mark = `zz${n}x${marks.length}`
      if (isUnknown && isCounted) marks.push(mark)
      return {
        field: isUnknown ? `${mark}${chance.pick(WRONG_FIELDS)}` : chance.pick(FIELDS),
        operator: isUnknown || chance.flip(0.9) ? chance.pick(OPERATORS) : chance.pick(INJECTIONS),
        values: isUnknown ? ['x'] : chance.flip(0.7) ? chance.some(INJECTIONS, 0.1) : chance.pick(WRONG_VALUES),
        time: isUnknown || chance.flip(0.7) ? null : chance.pick(WRONG_TIMES),
        not: chance.flip(0.2),
        query: '*:*',
      }
    }
    const group = (depth: number): unknown => ({
      match: chance.pick(['all', 'any', 'none', '") OR *:*']),
      not: chance.flip(0.2),
      conditions: Array.from({ length: chance.below(5) }, () => condition(depth <= 3)),
      groups: Array.from({ length: depth < 6 ? chance.below(3) : 0 }, () => group(depth + 1)),
    })
    return { said: JSON.stringify(group(1)), marks }
  })
}
