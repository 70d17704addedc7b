import fc from 'fast-check'

/** A rule as it is sent, as far as the model knows rules. */
export interface ModelRule {
  readonly actions: readonly string[]
  readonly entity_types: readonly string[]
  readonly tlps: readonly string[]
  readonly content_criteria: unknown
  readonly add_tags: readonly string[]
  readonly remove_tags: readonly string[]
  readonly override_tlp: string | null
  /** Whether its criteria match, given a state. */
  matches(state: ModelState): boolean
}

export interface ModelState {
  readonly type: string
  readonly title: string
  readonly tags: ReadonlySet<string>
  readonly colour: string
}

const COLOURS = ['NONE', 'WHITE', 'GREEN', 'AMBER', 'RED']
const MAX_ROUNDS = 3

/** What rules make of an entity, written as plainly as possible: one entity and one rule at a time. */
export function enforceModel(own: ModelState, rules: readonly ModelRule[]): ModelState {
  let state = own
  const acted = new Set<ModelRule>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const matching = rules.filter((rule) => !acted.has(rule) && isFor(rule, state))
    if (matching.length === 0) break
    for (const rule of matching) acted.add(rule)
    state = merged(own, [...acted])
  }
  return state
}

function isFor({ entity_types, tlps, matches }: ModelRule, state: ModelState): boolean {
  if (entity_types.length > 0 && !entity_types.includes(state.type)) return false
  if (tlps.length > 0 && !tlps.includes(state.colour)) return false
  return matches(state)
}

function merged(own: ModelState, rules: readonly ModelRule[]): ModelState {
  const tags = new Set(own.tags)
  for (const { actions, remove_tags } of rules)
    if (actions.includes('remove_tags')) for (const tag of remove_tags) tags.delete(tag)
  for (const { actions, add_tags } of rules) if (actions.includes('add_tags')) for (const tag of add_tags) tags.add(tag)
  let strictest = -1
  for (const { actions, override_tlp } of rules)
    if (actions.includes('override_tlp')) strictest = Math.max(strictest, COLOURS.indexOf(override_tlp ?? ''))
  return { ...own, tags, colour: strictest < 0 ? own.colour : (COLOURS[strictest] ?? '') }
}

const TAGS = ['ash', 'birch', 'cedar', 'elm']
const WORDS = ['north', 'south', 'west']
const TYPES = ['report', 'tool', 'indicator']

interface Criteria {
  readonly sent: unknown
  readonly isPositive: boolean
  readonly reads: readonly string[]
  matches(state: ModelState): boolean
}

const tag = fc.constantFrom(...TAGS)
const word = fc.constantFrom(...WORDS)

const hasTag = (name: string) => (state: ModelState) => state.tags.has(name)
const hasWord = (name: string) => (state: ModelState) => state.title.split(' ').includes(name)

const condition = (path: string, value: string, operator = 'matches') => ({ path, operator, value })

const criteria: fc.Arbitrary<Criteria> = fc.oneof(
  fc.constant({ sent: null, isPositive: true, reads: [], matches: () => true }),
  tag.map((name) => ({ sent: `tags:${name}`, isPositive: true, reads: [name], matches: hasTag(name) })),
  word.map((name) => ({ sent: `data.title:${name}`, isPositive: true, reads: [], matches: hasWord(name) })),
  tag.map((name) => ({
    sent: `NOT meta.tags:${name}`,
    isPositive: false,
    reads: [name],
    matches: (state: ModelState) => !hasTag(name)(state),
  })),
  fc.tuple(tag, word).map(([name, text]) => ({
    sent: {
      operator: 'OR',
      conditions: [
        condition('$.meta.tags', name),
        { operator: 'AND', conditions: [{ path: 'data.title', operator: 'matches', expression: `.*${text}.*` }] },
      ],
    },
    isPositive: true,
    reads: [name],
    matches: (state: ModelState) => hasTag(name)(state) || hasWord(text)(state),
  })),
  fc.tuple(tag, tag).map(([one, other]) => ({
    sent: {
      operator: 'AND',
      conditions: [condition('meta.tags', one), condition('meta.tags', other, 'does_not_match')],
    },
    isPositive: false,
    reads: [one, other],
    matches: (state: ModelState) => hasTag(one)(state) && !hasTag(other)(state),
  })),
)

const distinct = <T>(item: fc.Arbitrary<T>, max: number) => fc.uniqueArray(item, { maxLength: max })

const rule = fc
  .record({
    criteria,
    entity_types: distinct(fc.constantFrom(...TYPES), 2),
    tlps: fc.oneof(fc.constant([]), distinct(fc.constantFrom(...COLOURS), 2)),
    add_tags: distinct(tag, 2),
    remove_tags: distinct(tag, 2),
    override_tlp: fc.option(fc.constantFrom(...COLOURS)),
  })
  .map(({ criteria, add_tags, remove_tags, ...more }) => ({
    rule: {
      ...more,
      content_criteria: criteria.sent,
      matches: criteria.matches,
      add_tags,
      remove_tags: remove_tags.filter((name) => !add_tags.includes(name)),
      actions: ['add_tags', 'remove_tags', ...(more.override_tlp === null ? [] : ['override_tlp'])],
    } satisfies ModelRule,
    criteria,
  }))

/** Sets of rules. Whether applying them twice must equal applying them once: no effect makes a rule match no longer. */
export const ruleSets = fc.array(rule, { minLength: 1, maxLength: 6 }).map((drawn) => {
  const reads = new Set(drawn.flatMap(({ criteria }) => criteria.reads))
  const isPositive = drawn.every(({ criteria, rule }) => criteria.isPositive && rule.tlps.length === 0)
  const isKept = drawn.every(({ rule }) => rule.remove_tags.every((name) => !reads.has(name)))
  return { rules: drawn.map(({ rule }) => rule as ModelRule), isStable: isPositive && isKept }
})

/** Entities as the model knows them. */
export const modelEntities = fc.array(
  fc.record({
    type: fc.constantFrom(...TYPES),
    title: fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
    tags: distinct(tag, 3).map((tags): ReadonlySet<string> => new Set(tags)),
    colour: fc.constantFrom(...COLOURS),
  }),
  { minLength: 1, maxLength: 8 },
)
