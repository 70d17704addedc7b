import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { serverOf } from '../../../test/followers.ts'
import { isCounted } from '../../../test/set-up/counting.ts'
import type { Context } from '../../engine/context.ts'
import { NOBODY } from '../../engine/route.ts'
import { type RemappedAnalyses, remapAnalyses, undoRemappedAnalyses } from './remapped.ts'

const statements: string[] = []
const corvus = await startApp((statement) => {
  if (isCounted(statement)) statements.push(statement)
})
after(() => corvus.stop())
const server = await serverOf(corvus)

/** Of one matrix; all are live, but what dies is up to who calls. */
const [A, B, C, D] = ['TA0002:T1059.001', 'TA0002:T1059.003', 'TA0002:T1204', 'TA0001:T1566'] as const

const inTransaction = <T>(run: (ctx: Context) => Promise<T>): Promise<T> =>
  server.db.transaction().execute((db) => run({ ...server, db, caller: NOBODY, baseUrl: '' }))

/** As a journal keeps it. */
const remap = async (successors: Record<string, readonly string[]>): Promise<RemappedAnalyses> =>
  JSON.parse(JSON.stringify(await inTransaction((ctx) => remapAnalyses(ctx, new Map(Object.entries(successors))))))
const undo = (done: RemappedAnalyses) => inTransaction((ctx) => undoRemappedAnalyses(ctx, done))

let count = 0
async function analysis(notes: Record<string, string>, layer?: Record<string, unknown>) {
  count++
  const data = { name: `Analysis ${count}`, ...(layer && { ui_metadata: { colours: 'warm', layer } }) }
  const made = await corvus.call('POST', 'attack_analyses', { data })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id } = made.body.data
  for (const [attack_node, content] of Object.entries(notes)) await annotate(id, attack_node, content)
  return id as number
}

async function annotate(attack_analysis: number, attack_node: string, content: string) {
  const data = { attack_analysis, attack_node, content }
  const { status, body } = await corvus.call('POST', 'attack_analyses/annotations', { data })
  assert.equal(status, 201, JSON.stringify(body))
}

const rowsOf = async (id: number) =>
  (await corvus.pool.query('select * from attack_annotations where attack_analysis = $1 order by id', [id])).rows
const notesOf = async (id: number): Promise<Record<string, string>> =>
  Object.fromEntries((await rowsOf(id)).map(({ attack_node, content }) => [attack_node, content]))
const techniquesOf = async (id: number) => {
  const { ui_metadata } = (await corvus.call('GET', `attack_analyses/${id}`)).body.data
  assert.equal(ui_metadata.colours, 'warm')
  return ui_metadata.layer.techniques
}

test('annotations move to what took the place of their node, are merged there, and back exactly', async () => {
  const ids = [
    await analysis({ [A]: 'On A', [C]: 'On C' }),
    await analysis({ [A]: 'On A', [B]: 'On B', [C]: 'On C' }),
    await analysis({ [C]: 'Untouched' }),
  ]
  const before = await Promise.all(ids.map(rowsOf))
  const done = await remap({ [A]: [B] })
  assert.deepEqual(await Promise.all(ids.map(notesOf)), [
    { [B]: 'On A', [C]: 'On C' },
    { [B]: 'On B\n\nOn A', [C]: 'On C' },
    { [C]: 'Untouched' },
  ])
  assert.deepEqual((await rowsOf(ids[2] ?? 0)).at(0), before[2]?.at(0))
  const { annotations, keptAnnotations } = await undo(done)
  assert.deepEqual([annotations, keptAnnotations], [2, []])
  assert.deepEqual(await Promise.all(ids.map(rowsOf)), before)
})

test('chains, swaps, several successors and several dead nodes lose nothing', async () => {
  const id = await analysis({ [A]: 'On A', [B]: 'On B', [C]: 'On C' })
  const before = await rowsOf(id)
  const cases: [Record<string, string[]>, Record<string, string>][] = [
    [
      { [A]: [B], [B]: [C] },
      { [B]: 'On A', [C]: 'On C\n\nOn B' },
    ],
    [
      { [A]: [B], [B]: [A] },
      { [A]: 'On B', [B]: 'On A', [C]: 'On C' },
    ],
    [{ [A]: [B, D] }, { [B]: 'On B\n\nOn A', [C]: 'On C', [D]: 'On A' }],
    [{ [A]: [D], [B]: [D], [C]: [D] }, { [D]: 'On A\n\nOn B\n\nOn C' }],
    [{ [A]: ['TA0001:T9999', 'DISARM', A] }, { [A]: 'On A', [B]: 'On B', [C]: 'On C' }],
  ]
  for (const [successors, expected] of cases) {
    const done = await remap(successors)
    assert.deepEqual(await notesOf(id), expected)
    await undo(done)
    assert.deepEqual(await rowsOf(id), before)
  }
})

test('what users changed since stays when a change is undone', async () => {
  const [edited, intact, gone] = [
    await analysis({ [A]: 'On A', [B]: 'On B' }),
    await analysis({ [A]: 'On A', [B]: 'On B' }),
    await analysis({ [A]: 'On A' }),
  ]
  const done = await remap({ [A]: [B] })
  const [row] = await rowsOf(edited)
  await corvus.call('PATCH', `attack_analyses/annotations/${row.id}`, { data: { content: 'Edited' } })
  await annotate(intact, A, 'Added')
  await corvus.call('DELETE', `attack_analyses/${gone}`)
  const { keptAnnotations } = await undo(done)
  assert.deepEqual(keptAnnotations.includes(row.id), true)
  assert.deepEqual(await notesOf(edited), { [B]: 'Edited' })
  assert.deepEqual(await notesOf(intact), { [A]: 'Added\n\nOn A', [B]: 'On B' })
})

test('layers move as annotations do, with everything that they say', async () => {
  const techniques = [
    { techniqueID: 'T1059.001', tactic: 'execution', score: 3, comment: 'One', metadata: [{ name: 'a', value: '1' }] },
    { techniqueID: 'T9999', comment: 'Unknown' },
    { techniqueID: 'T1059.003', tactic: 'execution', score: 2, comment: 'Two', color: '#112233', other: [1] },
    { techniqueID: 'T1204', score: 7 },
  ]
  const layer = { name: 'Layer', domain: 'enterprise-attack', techniques, sorting: 3 }
  const id = await analysis({}, layer)
  const untouched = await analysis({}, { ...layer, techniques: techniques.slice(1, 2) })
  const done = await remap({ [A]: [B], [C]: [D] })
  assert.deepEqual(await techniquesOf(id), [
    {
      techniqueID: 'T1059.003',
      tactic: 'execution',
      score: 3,
      comment: 'One\n\nTwo',
      color: '#112233',
      metadata: [{ name: 'a', value: '1' }],
      other: [1],
    },
    { techniqueID: 'T9999', comment: 'Unknown' },
    { techniqueID: 'T1566', tactic: 'initial-access', score: 7 },
  ])
  assert.deepEqual(
    done.layers.map(({ attack_analysis }) => attack_analysis),
    [id],
  )
  assert.partialDeepStrictEqual(await undo(done), { layers: 1, keptLayers: [] })
  assert.deepEqual(await techniquesOf(id), techniques)
  assert.deepEqual(await techniquesOf(untouched), techniques.slice(1, 2))
})

test('a layer that was replaced since is not undone', async () => {
  const layer = { name: 'Layer', domain: 'enterprise-attack', techniques: [{ techniqueID: 'T1204', score: 1 }] }
  const id = await analysis({}, layer)
  const done = await remap({ [C]: [D] })
  const next = { ...layer, techniques: [{ techniqueID: 'T1486', score: 1 }] }
  await corvus.call('PATCH', `attack_analyses/${id}`, { data: { ui_metadata: { layer: next } } })
  assert.deepEqual((await undo(done)).keptLayers, [id])
  assert.deepEqual(await techniquesOf(id), next.techniques)
})

test('the number of statements does not depend on the number of analyses, and each change is logged', async () => {
  const layer = { name: 'Layer', domain: 'enterprise-attack', techniques: [{ techniqueID: 'T1204', score: 1 }] }
  const countOf = async (successors: Record<string, string[]>) => {
    statements.length = 0
    const done = await remap(successors)
    return { done, count: statements.length }
  }
  await analysis({ [A]: 'On A' }, layer)
  const one = await countOf({ [A]: [B], [C]: [D] })
  for (const _ of [1, 2, 3]) await analysis({ [A]: 'On A', [B]: 'On B' }, layer)
  const many = await countOf({ [A]: [B], [C]: [D] })
  assert.ok(one.done.annotations.length > 0 && many.done.annotations.length === 3 && many.done.layers.length === 3)
  assert.equal(many.count, one.count)
  const { rows } = await corvus.pool.query(
    `select resource, kind, cardinality(ids) as count, details from changes where resource like 'attack_an%' order by id desc limit 3`,
  )
  assert.deepEqual(rows.map(({ resource, kind, count }) => [resource, kind, count]).sort(), [
    ['attack_analyses', 'update', 3],
    ['attack_annotations', 'delete', 3],
    ['attack_annotations', 'update', 3],
  ])
  const merged = rows.find(({ resource, kind }) => resource === 'attack_annotations' && kind === 'update')
  assert.deepEqual(Object.values(merged.details)[0], { content: ['On B', 'On B\n\nOn A'] })
})
