import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { effort } from '../../../../test/effort.ts'
import { subject } from '../../../../test/set-up/matching.ts'
import type { Candidate, Decisions } from './blocks.ts'
import { groupSubjects } from './group.ts'
import { isStrong, rankOf } from './keys.ts'

const TITLES = ['p', 'q', 'r']
const KEYS = [
  'assigned:1',
  'id:malware:attack:S1',
  'id:malware:attack:S2',
  'id:malware:malpedia:win.x',
  'title:malware:p',
  'title:malware:q',
  'names:malware:p|q',
  'names:malware:q|r',
  'name:malware:p',
  'name:malware:q',
]

const candidates = fc
  .array(
    fc.record({
      source: fc.integer({ min: 1, max: 4 }),
      title: fc.constantFrom(...TITLES),
      policy: fc.constantFrom(1, 1, 1, 1, 2, null),
      keys: fc.subarray(KEYS, { maxLength: 5 }),
    }),
    { minLength: 2, maxLength: 9 },
  )
  .map((all) => all.map((one, i): Candidate => subject(String.fromCharCode(97 + i), one.keys, one)))

const someOf = (count: number) =>
  fc.subarray(
    Array.from({ length: count }, (_, i) => `entity-${String.fromCharCode(97 + i)}`),
    { maxLength: 3 },
  )

const decisions = fc
  .record({
    exempt: someOf(9),
    refused: fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 8 })), { maxLength: 3 }),
    switchedOff: fc.subarray(KEYS.slice(1), { maxLength: 2 }),
    frozen: fc.constantFrom([], [], [1], [2], [1, 2]),
    current: fc.array(fc.constantFrom(undefined, 'u', 'v'), { minLength: 9, maxLength: 9 }),
  })
  .map(({ exempt, refused, switchedOff, frozen, current }): Decisions => {
    const name = (i: number) => `entity-${String.fromCharCode(97 + i)}`
    return {
      exempt: new Set(exempt),
      refused: new Set(refused.filter(([a, b]) => a !== b).map(([a, b]) => `${name(a)} ${name(b)}`)),
      switchedOff: new Set(switchedOff),
      frozen: new Set(frozen),
      current: new Map(current.flatMap((unified, i) => (unified ? [[name(i), unified] as const] : []))),
    }
  })

const isNotRefused = (one: Candidate, other: Candidate, { refused }: Decisions): boolean =>
  !refused.has(`${one.entity} ${other.entity}`) && !refused.has(`${other.entity} ${one.entity}`)

/** Whether two entities may be one thing, judged by themselves. */
function isPossible(one: Candidate, other: Candidate, decided: Decisions): boolean {
  if (one.source === other.source && one.title !== other.title) return false
  if (!isNotRefused(one, other, decided)) return false
  const ids = ({ keys }: Candidate, scheme: string) => keys.filter((key) => key.startsWith(`id:malware:${scheme}:`))
  return ['attack', 'malpedia'].every((scheme) => {
    const [mine, theirs] = [ids(one, scheme), ids(other, scheme)]
    if (mine.length === 0 || theirs.length === 0) return true
    return mine.length === 1 && theirs.length === 1 && mine[0] === theirs[0]
  })
}

/** The number of names that entities with the title of the first share with others. */
function commonNames([first, ...others]: readonly Candidate[]): number {
  const names = ['name:malware:p', 'name:malware:q']
  const has = (name: string, isFirst: boolean) =>
    [first, ...others].some((one) => one?.keys.includes(name) && (one.title === first?.title) === isFirst)
  return names.filter((name) => has(name, true) && has(name, false)).length
}

/** A key joins entities of one policy after another. */
interface Round {
  readonly key: string
  readonly policy: number | null | undefined
  readonly weight: number
  readonly first: number
}

/** The same decision, pair by pair. */
function slowly(
  subjects: readonly Candidate[],
  decided: Decisions,
): { groups: string[][]; possible: Map<string, string[]> } {
  const all = [...subjects].sort((a, b) => (a.stixId < b.stixId ? -1 : 1))
  let groups = all.map((one) => [one])
  const isFrozen = ({ policy }: Candidate) => policy !== null && decided.frozen.has(policy)
  const mayMeet = (one: Candidate, other: Candidate): boolean => {
    if (!isPossible(one, other, decided)) return false
    if (!isFrozen(one) && !isFrozen(other)) return true
    const unified = decided.current.get(one.entity)
    return unified !== undefined && unified === decided.current.get(other.entity)
  }
  const takesPart = ({ policy, entity }: Candidate) => policy !== null && !decided.exempt.has(entity)
  const pairs = all.flatMap((one, i) => all.slice(i + 1).map((other) => [one, other] as const))
  const shared = (one: Candidate, other: Candidate, key: string): boolean =>
    one.keys.includes(key) &&
    other.keys.includes(key) &&
    (key.startsWith('assigned:') ||
      (!decided.switchedOff.has(key) && takesPart(one) && takesPart(other) && one.policy === other.policy))
  const groupOf = (one: Candidate) => groups.find((group) => group.includes(one)) ?? []
  const rounds: Round[] = KEYS.filter(isStrong).flatMap((key): Round[] => {
    if (key.startsWith('assigned:')) return [{ key, policy: undefined, weight: 0, first: 0 }]
    const some = all.filter((one) => one.keys.includes(key) && takesPart(one) && !decided.switchedOff.has(key))
    return [...Map.groupBy(some, ({ policy }) => policy)].map(([policy, members]) => ({
      key,
      policy,
      weight: members.length > 1 && key.startsWith('names:') ? commonNames(members) : 0,
      first: Math.min(...members.map((one) => all.indexOf(one))),
    }))
  })
  const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  rounds.sort(
    (a, b) => rankOf(a.key) - rankOf(b.key) || b.weight - a.weight || inOrder(a.key, b.key) || a.first - b.first,
  )
  for (const { key, policy } of rounds) {
    for (const [one, other] of pairs) {
      if (!shared(one, other, key) || (policy !== undefined && one.policy !== policy)) continue
      const [mine, theirs] = [groupOf(one), groupOf(other)]
      if (mine === theirs) continue
      if (!key.startsWith('assigned:') && !mine.every((a) => theirs.every((b) => mayMeet(a, b)))) continue
      groups = [...groups.filter((group) => group !== mine && group !== theirs), [...mine, ...theirs]]
    }
  }
  const possible = new Map<string, string[]>()
  for (const [one, other] of pairs) {
    if (groupOf(one) === groupOf(other) || !isPossible(one, other, decided) || isFrozen(one)) continue
    const keys = KEYS.slice(1).filter((key) => shared(one, other, key))
    const areKeptApart = (is: typeof isPossible) =>
      !groupOf(one).every((a) => groupOf(other).every((b) => is(a, b, decided)))
    if (areKeptApart(isNotRefused) || (areKeptApart(isPossible) && !keys.some(isStrong))) continue
    if (keys.length > 0) possible.set(`${one.entity} ${other.entity}`, keys)
  }
  const found = groups.filter(({ length }) => length > 1).map((group) => group.map(({ entity }) => entity).sort())
  return { groups: found.sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)), possible }
}

const runs = { seed: 27, numRuns: effort(20_000, 500) }

test('the groups and suggestions are those of a plain model', () => {
  fc.assert(
    fc.property(candidates, decisions, (all, decided) => {
      const { groups, suggestions } = groupSubjects(all, decided)
      const model = slowly(all, decided)
      assert.deepEqual(
        groups.map(({ members }) => members),
        model.groups,
      )
      assert.deepEqual(
        suggestions.map(({ first, second }) => `${first} ${second}`),
        [...model.possible.keys()],
      )
      for (const { first, second, keys } of suggestions) {
        const expected = model.possible.get(`${first} ${second}`) ?? []
        assert.ok(keys.length > 0 && keys.every((key) => expected.includes(key)))
      }
    }),
    runs,
  )
})

test('the order of entities and keys does not matter', () => {
  const shuffled = candidates.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc
        .shuffledSubarray(all, { minLength: all.length })
        .map((some) => some.map((one) => ({ ...one, keys: [...one.keys].reverse() }))),
    ),
  )
  fc.assert(
    fc.property(shuffled, decisions, ([all, others], decided) => {
      assert.deepEqual(groupSubjects(others, decided), groupSubjects(all, decided))
    }),
    runs,
  )
})

test('no group breaks the constraint unless a person put it together, and keys lead from each member to all others', () => {
  const unassigned = candidates.map((all) =>
    all.map((one) => ({ ...one, keys: one.keys.filter((key) => !key.startsWith('assigned:')) })),
  )
  fc.assert(
    fc.property(unassigned, decisions, (all, decided) => {
      const byId = new Map(all.map((one) => [one.entity, one]))
      for (const { members, joins } of groupSubjects(all, decided).groups) {
        const entities = members.flatMap((id) => byId.get(id) ?? [])
        assert.equal(joins.size, entities.length)
        for (const one of entities) {
          for (const other of entities) assert.ok(one === other || isPossible(one, other, decided))
          const key = joins.get(one.entity) ?? ''
          assert.ok(entities.some((other) => other !== one && other.keys.includes(key)) && one.keys.includes(key))
        }
        const reached = new Set(entities.slice(0, 1))
        for (const one of reached)
          for (const other of entities)
            if (other.keys.some((key) => isStrong(key) && one.keys.includes(key))) reached.add(other)
        assert.equal(reached.size, entities.length)
      }
    }),
    runs,
  )
})

test('refusing a pair separates it', () => {
  fc.assert(
    fc.property(candidates, decisions, (all, decided) => {
      const [group] = groupSubjects(all, decided).groups
      const [first, second] = group?.members ?? []
      if (!first || !second || all.some(({ keys }) => keys.includes('assigned:1'))) return
      const refused = new Set([...decided.refused, `${second} ${first}`])
      const after = groupSubjects(all, { ...decided, refused })
      assert.ok(!after.groups.some(({ members }) => members.includes(first) && members.includes(second)))
      assert.ok(!after.suggestions.some((pair) => pair.first === first && pair.second === second))
    }),
    runs,
  )
})
