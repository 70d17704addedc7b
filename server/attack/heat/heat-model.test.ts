import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { effort } from '../../../test/effort.ts'
import { COLOURS, DEAD, LIVE, listEntities, listFor, startClassified, TYPES } from '../../../test/set-up/classified.ts'
import { coverageIn, defendAtRandom, readDefended } from '../../../test/set-up/defended.ts'
import { type Gap, modelGaps } from '../../../test/set-up/gap-model.ts'
import {
  type GroupsOf,
  type Listed,
  type ListedEntity,
  type ListedNode,
  modelHeat,
  withRelated,
} from '../../../test/set-up/heat-model.ts'
import { type Chance, chanceOf } from '../../../test/visibility/chance.ts'
import type { Coverage } from '../defenses/coverage.ts'

const SEED = Date.now() % 2 ** 31
const ENTITIES = 60
const REQUESTS = effort(300, 20)

const corvus = await startClassified(chanceOf(SEED), ENTITIES)
after(() => corvus.stop())

type Asked = ReturnType<typeof draw>

/** A request of a reader, and what the reader sees. */
interface Case {
  readonly chance: Chance
  readonly token: string
  readonly seen: Listed
  readonly asked: Asked
  readonly scope: readonly ListedEntity[]
  readonly where: string
}

/** Random parameters: those that a list understands too, and those of the heat alone. */
function draw(chance: Chance, { entities }: Listed) {
  const query = chance.flip(0.4)
    ? [`query=${chance.pick(['heron', 'otter', 'type:malware', 'NOT heron', '_exists_:meta.attacks'])}`]
    : []
  const filters = [
    ...(chance.flip(0.3) ? [`filter[type]=${chance.pick(TYPES)}`] : []),
    ...(chance.flip(0.2) ? [`filter[meta.tlp_color]=${chance.pick(COLOURS)}`] : []),
    ...(chance.flip(0.2) ? [`filter[!meta.attacks]=${chance.pick([...LIVE, ...DEAD])}`] : []),
    ...(chance.flip(0.4) ? [`consolidation=${chance.pick(['all', 'unified', 'contributors'])}`] : []),
  ]
  const chosen = chance.some(entities, 0.5).map(({ id }) => id)
  const own = chance.pick([[], [], corvus.datasets, corvus.datasets.slice(0, 1)])
  const within = chance.flip(0.3) && chosen.length > 0 ? chosen : []
  const by = chance.pick(['count', 'recency', 'source', 'type', 'dataset'])
  const dataset = by === 'dataset' && own.length === 0 ? corvus.datasets : own
  return {
    query,
    filters,
    dataset: within.length > 0 && by !== 'dataset' ? [] : dataset,
    within: by === 'dataset' ? [] : within,
    by,
    matrix: chance.pick(['enterprise-attack', 'enterprise-attack', 'mobile-attack']),
    aggregate: chance.pick(['none', 'sum', 'max']),
    relations: chance.flip(0.4),
    halfLife: chance.pick([1, 30, 365]),
  }
}

const parametersOf = (asked: Asked): string => {
  const { query, filters, dataset, within, by, matrix, aggregate, relations, halfLife } = asked
  return [
    ...query,
    ...filters,
    `by=${by}&matrix=${matrix}&aggregate=${aggregate}&relations=${relations}`,
    ...(dataset.length > 0 ? [`dataset=${dataset.join(',')}`] : []),
    ...(within.length > 0 ? [`entities=${within.join(',')}`] : []),
    ...(by === 'recency' ? [`half_life=${halfLife}`] : []),
  ].join('&')
}

/** The entities that count, by ordinary lists. */
async function countedBy(asked: Asked, seen: Listed, token: string): Promise<ListedEntity[]> {
  const { query, filters, dataset, within, relations } = asked
  const listed = (parameters: readonly string[]) => listEntities(corvus, `entities?${parameters.join('&')}`, token)
  const choosing = [
    ...query,
    ...dataset.map((id) => `filter[datasets]=${id}`),
    ...within.map((id) => `filter[id]=${id}`),
  ]
  if (!relations) return listed([...choosing, ...filters])
  const ids = withRelated(seen, await listed(choosing))
  return ids.size === 0 ? [] : listed([...filters, ...[...ids].map((id) => `filter[id]=${id}`)])
}

/** Requests a heat, and compares it with what the lists of the same reader add up to. Returns the number of nodes. */
async function checkHeat({ seen, scope, where, asked, token }: Case): Promise<number> {
  const got = await corvus.get(`attacks/heat?${parametersOf(asked)}`, token)
  const groupsOf = await groupsBy(asked.by, asked.dataset, token)
  const expected = modelHeat(seen, scope, { ...asked, at: Date.parse(got.at) }, groupsOf)
  assert.equal(got.total_count, scope.length, where)
  assert.deepEqual(shown(got.data), shown(expected.data), where)
  assert.deepEqual(shown(got.outside), shown(expected.outside), where)
  return got.data.length
}

/** Lists the entities behind a node, and compares them with those that the model counts. Returns their number. */
async function checkEvidence({ chance, seen, scope, where, asked, token }: Case): Promise<number> {
  const { aggregate } = asked
  const node = chance.pick([...LIVE, ...LIVE, ...DEAD])
  const isBelow = ({ parent, type, state }: ListedNode) =>
    parent === node && type === 'subtechnique' && state === 'live'
  const below = [...seen.nodes.values()].filter((each) => aggregate !== 'none' && isBelow(each))
  const nodes = new Set([node, ...below.map(({ id }) => id)])
  const path = `attacks/${encodeURIComponent(node)}/entities?${parametersOf(asked)}`
  const got = (await listEntities(corvus, path, token)).map(({ id }) => id)
  const expected = scope.filter((entity) => entity.nodes.some((id) => nodes.has(id)))
  assert.deepEqual(got.toSorted(), expected.map(({ id }) => id).toSorted(), `${node} ${where}`)
  assert.equal((await corvus.get(`${path}&data=false`, token)).total_count, expected.length, `${node} ${where}`)
  return got.length
}

type CoveredIn = (matrix: string) => readonly Coverage[]

/** Requests the coverage, and compares it with the model. Returns the number of techniques. */
async function checkCoverage({ seen, scope, token, ...rest }: Case, coveredIn: CoveredIn): Promise<number> {
  // Threats are counted or weighed by their age.
  const asked: Asked = { ...rest.asked, by: rest.asked.by === 'count' ? 'count' : 'recency' }
  const where = `${rest.where}, by ${asked.by}`
  const { aggregate, matrix } = asked
  const got = await corvus.get(`attacks/coverage?${parametersOf(asked)}`, token)
  const heat = modelHeat(seen, scope, { ...asked, aggregate: 'none', at: Date.parse(got.at) }, () => [])
  const expected = modelGaps(heat.data, coveredIn(matrix), aggregate)
  const idsOf = (row: { missing_log_sources: { id: number }[] }) => row.missing_log_sources.map(({ id }) => id)
  const data: Gap[] = got.data.map((row: never) => ({ ...(row as object), missing_log_sources: idsOf(row) }))
  assert.deepEqual(rounded(data), rounded(expected), where)
  const gaps = data.map(({ gap }) => gap)
  assert.deepEqual(
    gaps,
    gaps.toSorted((a, b) => b - a),
    where,
  )
  assert.deepEqual(shown(got.outside), shown(heat.outside), where)
  return got.technique_count
}

async function groupsBy(by: string, dataset: readonly number[], token: string): Promise<GroupsOf> {
  if (by === 'source') return ({ source }) => [source]
  if (by === 'type') return ({ type }) => [type]
  if (by !== 'dataset') return () => []
  const members = await Promise.all(dataset.map((id) => listEntities(corvus, `entities?filter[datasets]=${id}`, token)))
  return ({ id }) => dataset.flatMap((each, i) => (members[i]?.some((other) => other.id === id) ? [String(each)] : []))
}

/** Sums in another order differ in the last digits. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6

const rounded = (rows: readonly Gap[]): Gap[] =>
  rows
    .map((row) => Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? round(value) : value]))
    .map((entries): Gap => Object.fromEntries(entries))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

const shown = (rows: readonly { id: string; count: number; score: number; by?: object }[]) =>
  rows
    .map(({ id, count, score, by = {} }) => ({ id, count, score: round(score), by }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** Checks random requests of each reader. */
async function checkAll(count: number, check: (each: Case) => Promise<number>): Promise<void> {
  const chance = chanceOf(SEED + 1)
  const sizes: number[] = []
  for (const [name, token] of Object.entries(corvus.readers)) {
    const seen = await listFor(corvus, token)
    assert.ok(seen.entities.length > 0 && (name === 'insider' || seen.entities.length < ENTITIES), name)
    for (let i = 0; i < count; i++) {
      const asked = draw(chance, seen)
      const where = `${name}, seed ${SEED}: ${parametersOf(asked)}`
      sizes.push(await check({ chance, token, seen, asked, scope: await countedBy(asked, seen, token), where }))
    }
  }
  assert.ok(sizes.filter((size) => size > 0).length > sizes.length / 3, 'many responses have something in them')
}

test('heat equals what the lists of a reader add up to', () => checkAll(REQUESTS, checkHeat))

test('the entities behind a node are those that its heat counts', () => checkAll(REQUESTS, checkEvidence))

test('the gap is the threat without the share that is covered', async () => {
  await defendAtRandom(corvus.db, 0.9, SEED % 1000)
  const defended = await readDefended(corvus.db)
  const matrixOf = new Map(defended.techniques.map(({ id, matrix }) => [id, matrix]))
  const byMatrix = Map.groupBy(coverageIn(defended), ({ technique }) => matrixOf.get(technique) ?? '')
  await checkAll(REQUESTS / 2, (each) => checkCoverage(each, (matrix) => byMatrix.get(matrix) ?? []))
})
