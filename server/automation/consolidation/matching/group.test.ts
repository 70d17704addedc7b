import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effort } from '../../../../test/effort.ts'
import { NOTHING_DECIDED as NOTHING, subject } from '../../../../test/set-up/matching.ts'
import { MAX_CONTRIBUTORS } from './blocks.ts'
import { type Grouping, groupSubjects } from './group.ts'
import { MAX_KEY_MEMBERS } from './keys.ts'
import { MAX_SUGGESTIONS } from './suggest.ts'

const membersOf = ({ groups }: Grouping): string[][] => groups.map(({ members }) => members.map((id) => id.slice(7)))

const pairsOf = ({ suggestions }: Grouping): string[] =>
  suggestions.map(({ first, second }) => `${first.slice(7)} ${second.slice(7)}`)

test('entities that share a strong key are one group, which says by which key each was joined', () => {
  const { groups, suggestions, full } = groupSubjects(
    [
      subject('c', ['title:malware:x']),
      subject('a', ['id:malware:attack:S1', 'title:malware:x']),
      subject('b', ['id:malware:attack:S1']),
    ],
    NOTHING,
  )
  assert.deepEqual(groups, [
    {
      members: ['entity-a', 'entity-b', 'entity-c'],
      joins: new Map([
        ['entity-a', 'id:malware:attack:S1'],
        ['entity-b', 'id:malware:attack:S1'],
        ['entity-c', 'title:malware:x'],
      ]),
    },
  ])
  assert.deepEqual({ suggestions, full }, { suggestions: [], full: 0 })
})

test('a weak key only suggests', () => {
  const grouping = groupSubjects([subject('b', ['name:malware:x']), subject('a', ['name:malware:x'])], NOTHING)
  assert.deepEqual(grouping, {
    groups: [],
    suggestions: [{ first: 'entity-a', second: 'entity-b', keys: ['name:malware:x'] }],
    full: 0,
  })
})

test('two entities of one source with different titles are neither joined nor suggested', () => {
  const keys = ['id:malware:attack:S1', 'name:malware:x']
  const one = subject('a', keys, { source: 7 })
  assert.deepEqual(groupSubjects([one, subject('b', keys, { source: 7 })], NOTHING), {
    groups: [],
    suggestions: [],
    full: 0,
  })
  assert.deepEqual(membersOf(groupSubjects([one, subject('b', keys, { source: 7, title: 'a' })], NOTHING)), [
    ['a', 'b'],
  ])
})

test('what a source keeps apart is not joined through entities of other sources, but suggested to them', () => {
  const grouping = groupSubjects(
    [
      subject('a', ['title:malware:x'], { source: 7 }),
      subject('b', ['title:malware:x', 'names:malware:x|y']),
      subject('c', ['names:malware:x|y'], { source: 7 }),
    ],
    NOTHING,
  )
  assert.deepEqual(membersOf(grouping), [['a', 'b']])
  assert.deepEqual(grouping.suggestions, [{ first: 'entity-b', second: 'entity-c', keys: ['names:malware:x|y'] }])
})

test('of two candidates that a source keeps apart, the one with more names in common is joined', () => {
  const names = (...all: string[]) => all.map((name) => `name:malware:${name}`)
  const grouping = groupSubjects(
    [
      subject('a', ['names:malware:a|c', 'names:malware:b|c', ...names('a', 'b', 'c', 'x')], { title: 'c' }),
      subject('b', ['names:malware:a|c', ...names('a', 'c')], { source: 7, title: 'a' }),
      subject('c', ['names:malware:b|c', ...names('b', 'c', 'x')], { source: 7, title: 'b' }),
    ],
    NOTHING,
  )
  assert.deepEqual(membersOf(grouping), [['a', 'c']])
  assert.deepEqual(pairsOf(grouping), ['a b'])
})

test('the ids of observables, which depend on the order of writes, do not decide who is joined', () => {
  for (const [first, second] of [
    ['1', '2'],
    ['2', '1'],
  ]) {
    const [one, other] = [`content:indicator:x|${first}`, `content:indicator:x|${second}`]
    const grouping = groupSubjects(
      [
        subject('a', ['pattern:indicator:p', one]),
        subject('b', [one]),
        subject('c', ['pattern:indicator:p', other]),
        subject('d', [other]),
      ],
      { ...NOTHING, refused: new Set(['entity-b entity-d']) },
    )
    assert.deepEqual(membersOf(grouping), [['a', 'b', 'c']])
  }
})

test('a name suggests nothing between groups that something keeps apart', () => {
  const grouping = groupSubjects(
    [
      subject('a', ['title:malware:x'], { source: 7 }),
      subject('b', ['title:malware:x', 'name:malware:z']),
      subject('c', ['name:malware:z'], { source: 7 }),
    ],
    NOTHING,
  )
  assert.deepEqual(membersOf(grouping), [['a', 'b']])
  assert.deepEqual(pairsOf(grouping), [])
})

test('different identifiers of one scheme keep entities apart, and identifiers of different schemes do not', () => {
  const one = subject('a', ['id:malware:attack:S1', 'title:malware:x'])
  const other = subject('b', ['id:malware:attack:S2', 'title:malware:x'])
  const elsewhere = subject('b', ['id:malware:malpedia:win.x', 'title:malware:x'])
  assert.deepEqual(groupSubjects([one, other], NOTHING), { groups: [], suggestions: [], full: 0 })
  assert.deepEqual(membersOf(groupSubjects([one, elsewhere], NOTHING)), [['a', 'b']])
})

test('a refused pair stays apart in either order, also as part of larger groups', () => {
  const all = ['a', 'b', 'c', 'd'].map((name) => subject(name, ['title:malware:x']))
  for (const pair of ['entity-b entity-c', 'entity-c entity-b']) {
    const grouping = groupSubjects(all, { ...NOTHING, refused: new Set([pair]) })
    assert.deepEqual(membersOf(grouping), [['a', 'b', 'd']])
    assert.deepEqual(pairsOf(grouping), [])
  }
})

test('what a person put together stays together, whatever keeps it apart', () => {
  const keys = ['assigned:1']
  const grouping = groupSubjects(
    [
      subject('a', [...keys, 'id:malware:attack:S1'], { source: 7, policy: null }),
      subject('b', [...keys, 'id:malware:attack:S2'], { source: 7, policy: 2 }),
      subject('c', ['id:malware:attack:S2'], { policy: 2 }),
    ],
    {
      ...NOTHING,
      refused: new Set(['entity-a entity-b']),
      exempt: new Set(['entity-a', 'entity-b']),
      frozen: new Set([2]),
    },
  )
  assert.deepEqual(membersOf(grouping), [['a', 'b']])
})

test('a person cannot put entities of different types together', () => {
  const grouping = groupSubjects(
    [subject('a', ['assigned:1']), subject('b', ['assigned:1'], { type: 'tool' })],
    NOTHING,
  )
  assert.deepEqual(grouping, { groups: [], suggestions: [], full: 0 })
})

test('entities of different policies or of none are joined by a person only, and so are exempt ones', () => {
  const keys = ['title:malware:x']
  const [one, other] = [subject('a', keys), subject('b', keys)]
  const nothing: Grouping = { groups: [], suggestions: [], full: 0 }
  assert.deepEqual(groupSubjects([one, { ...other, policy: 2 }], NOTHING), nothing)
  assert.deepEqual(
    groupSubjects(
      [
        { ...one, policy: null },
        { ...other, policy: null },
      ],
      NOTHING,
    ),
    nothing,
  )
  assert.deepEqual(groupSubjects([one, other], { ...NOTHING, exempt: new Set(['entity-b']) }), nothing)
})

test('an inactive policy keeps what it joined, and joins and suggests nothing further', () => {
  const all = ['a', 'b', 'c'].map((name) => subject(name, ['title:malware:x', 'name:malware:x']))
  const current = new Map([
    ['entity-a', 'unified'],
    ['entity-b', 'unified'],
  ])
  const grouping = groupSubjects(all, { ...NOTHING, frozen: new Set([1]), current })
  assert.deepEqual({ members: membersOf(grouping), pairs: pairsOf(grouping) }, { members: [['a', 'b']], pairs: [] })
  assert.deepEqual(membersOf(groupSubjects(all, { ...NOTHING, frozen: new Set([1]) })), [])
})

test('a key that is switched off, or that too many entities share, joins and suggests nothing', () => {
  const two = [subject('a', ['title:malware:x']), subject('b', ['title:malware:x'])]
  const off = groupSubjects(two, { ...NOTHING, switchedOff: new Set(['title:malware:x']) })
  assert.deepEqual(off, { groups: [], suggestions: [], full: 0 })
  const many = (count: number, key: string) =>
    Array.from({ length: count }, (_, i) => subject(`${i}`, [key], { source: i }))
  assert.equal(groupSubjects(many(MAX_KEY_MEMBERS, 'title:malware:x'), NOTHING).groups.length, 1)
  assert.equal(groupSubjects(many(MAX_KEY_MEMBERS + 1, 'title:malware:x'), NOTHING).groups.length, 0)
  assert.equal(groupSubjects(many(MAX_KEY_MEMBERS + 1, 'assigned:1'), NOTHING).groups.length, 1)
})

test('a group that is full takes no more, and the result says so', () => {
  const all = Array.from({ length: MAX_CONTRIBUTORS + 5 }, (_, i) =>
    subject(String(i).padStart(4, '0'), ['assigned:1'], { source: i }),
  )
  const { groups, full } = groupSubjects(all, NOTHING)
  assert.deepEqual(
    groups.map(({ members }) => members.length),
    [MAX_CONTRIBUTORS, 5],
  )
  assert.equal(full, 1)
})

test('an entity is in a limited number of suggestions, those with the rarest names first', () => {
  const rare = 'name:malware:rare'
  const all = Array.from({ length: MAX_KEY_MEMBERS }, (_, i) => {
    const isLast = i === 0 || i === MAX_KEY_MEMBERS - 1
    return subject(String(i).padStart(4, '0'), ['name:malware:common', ...(isLast ? [rare] : [])], { source: i })
  })
  const { suggestions } = groupSubjects(all, NOTHING)
  const counts = Map.groupBy(
    suggestions.flatMap(({ first, second }) => [first, second]),
    (entity) => entity,
  )
  assert.equal(Math.max(...[...counts.values()].map(({ length }) => length)), MAX_SUGGESTIONS)
  assert.ok(suggestions.some(({ keys }) => keys.includes(rare)))
})

/** Three sources that describe the same things, and names that thirty entities share. */
const manyOf = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const thing = Math.floor(i / 3)
    const names = Array.from({ length: 5 }, (_, n) => `name:malware:${Math.floor(thing / 10)}-${n}`)
    return subject(String(i).padStart(6, '0'), [`title:malware:${thing}`, ...names], {
      source: i % 3,
      title: `${thing}`,
    })
  })

test('the time of grouping is in proportion to the entities', () => {
  const timeOf = (count: number): number => {
    const all = manyOf(count)
    const start = performance.now()
    const { groups, suggestions } = groupSubjects(all, NOTHING)
    assert.equal(groups.length, count / 3)
    assert.ok(suggestions.length <= (count * MAX_SUGGESTIONS) / 2)
    return performance.now() - start
  }
  const count = effort(9000, 1500)
  timeOf(count)
  const [few, many] = [timeOf(count), timeOf(count * 8)]
  assert.ok(many / few < 40, `eight times the entities take ${many / few} times as long`)
})
