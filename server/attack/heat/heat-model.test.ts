import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { effort } from '../../../test/effort.ts'
import { type GroupsOf, type Listed, type ListedEntity, modelHeat } from '../../../test/set-up/heat-model.ts'
import { startUnified } from '../../../test/set-up/unified-entities.ts'
import { type Chance, chanceOf } from '../../../test/visibility/chance.ts'

const corvus = await startUnified()
after(() => corvus.stop())

const SEED = Date.now() % 2 ** 31
const ENTITIES = 60
const REQUESTS = effort(300, 40)

/** Of two matrices. */
const LIVE = [
  'TA0001',
  'TA0001:T1566',
  'TA0001:T1566.001',
  'TA0001:T1566.002',
  'TA0002:T1059.001',
  'TA0002:T1059.003',
  'TA0040:T1486',
  'enterprise-attack',
  'TA0027:T1660',
]
/** A revoked one, and one of a version that is not loaded. */
const DEAD = ['TA0002:T1086', 'TA0099:T9999']
const NODES = [...LIVE, ...DEAD]
const TYPES = ['malware', 'campaign', 'intrusion-set', 'report']
const COLOURS = ['WHITE', 'GREEN', 'RED']
const WORDS = ['heron', 'otter']

const datasets: number[] = []
const idOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

before(async () => {
  const chance = chanceOf(SEED)
  const ids = await makeEntities(chance)
  const pairs = new Set(Array.from({ length: ENTITIES }, () => `${chance.pick(ids)} ${chance.pick(ids)}`))
  for (const pair of pairs) {
    const [from = '', to = ''] = pair.split(' ')
    if (from !== to) await relate(chance, from, to)
  }
  for (const first of [0, 3, 6]) {
    const unified = await corvus.unify(ids.slice(first, first + 3), 'heron')
    await sql`
      update entities set attacks = array(
        select distinct a.node from entities as e, unnest(e.attacks) as a(node) where e.id = any(${ids.slice(first, first + 3)}::uuid[]))
      where id = ${unified}::uuid`.execute(corvus.db)
  }
  const workspace = { workspaces: [1] }
  const some = await corvus.post('datasets', { name: 'some', ...workspace, entities: chance.some(ids, 0.4) })
  const found = await corvus.post('datasets', { name: 'found', ...workspace, search_query: 'heron' })
  datasets.push(some.id, found.id)
})

async function makeEntities(chance: Chance): Promise<string[]> {
  const { first, second, open } = corvus.sources
  const start = () => new Date(Date.now() - (chance.below(800) - 20) * 86_400_000).toISOString()
  const items = Array.from({ length: ENTITIES }, (_, i) => ({
    data: { type: i < 9 ? 'malware' : chance.pick(TYPES), title: `${chance.pick(WORDS)} ${i}` },
    sources: [chance.pick([first, second, open])],
    meta: {
      attacks: chance.some(LIVE, 0.25),
      tlp_color: chance.pick(COLOURS),
      ...(chance.flip(0.8) && { estimated_threat_start_time: start() }),
    },
  }))
  const { status, body } = await corvus.call('PUT', 'entities', { data: items }, corvus.admin)
  assert.equal(status, 201, JSON.stringify(body))
  const ids: string[] = body.data.map(({ id }: { id: string }) => id)
  await sql`update entities set threat_start = null where id = any(${chance.some(ids, 0.1)}::uuid[])`.execute(corvus.db)
  for (const node of DEAD) {
    const some = chance.some(ids, 0.2)
    await sql`update entities set attacks = attacks || ${node}::text where id = any(${some}::uuid[])`.execute(corvus.db)
  }
  return ids
}

async function relate(chance: Chance, source: string, target: string): Promise<void> {
  const own = chance.pick([corvus.sources.second, corvus.sources.open])
  const item = { data: { source, target, key: 'uses' }, sources: [own] }
  const { status, body } = await corvus.call('POST', 'relationships', { data: item }, corvus.admin)
  assert.ok(status === 201 || status === 400 || status === 404, JSON.stringify(body))
}

/** What a reader sees, read as lists. */
async function listFor(token: string): Promise<Listed> {
  const entities = await listed('', token)
  const relationships = (await corvus.get('relationships?limit=2000', token)).data
  const states = ['live', 'revoked', 'deprecated'].map((state) => `filter[state]=${state}`).join('&')
  const ids = NODES.flatMap((id) => [id, id.split('.')[0]]).map((id) => `filter[id]=${id}`)
  const { data } = await corvus.get(`attacks?limit=2000&${states}&${ids.join('&')}`, token)
  return {
    entities,
    relationships: relationships.map(({ data: ends }: { data: { source: string; target: string } }) => [
      idOf(ends.source),
      idOf(ends.target),
    ]),
    nodes: new Map(
      data.map((node: { id: string; parent: string | null }) => [
        node.id,
        { ...node, parent: node.parent && idOf(decodeURIComponent(node.parent)) },
      ]),
    ),
  }
}

async function listed(query: string, token: string): Promise<ListedEntity[]> {
  const { data, total_count } = await corvus.get(`entities?limit=2000&${query}`, token)
  assert.equal(data.length, total_count)
  const byStixId = new Map<string, string>(
    data.map((each: { id: string; data: { id: string } }) => [each.data.id, each.id]),
  )
  // biome-ignore lint/suspicious/noExplicitAny: entities as they are listed
  return data.map((each: any) => ({
    id: each.id,
    type: each.data.type,
    source: idOf(each.sources[0]),
    nodes: each.meta.attacks.map((url: string) => decodeURIComponent(idOf(url))),
    start: each.meta.estimated_threat_start_time && Date.parse(each.meta.estimated_threat_start_time),
    unified: byStixId.get(each.meta.is_contributor_to) ?? null,
  }))
}

/** Random parameters: those that a list understands too, and those of the heat alone. */
function draw(chance: Chance, { entities }: Listed) {
  const shared = [
    ...(chance.flip(0.4)
      ? [`query=${chance.pick(['heron', 'otter', 'type:malware', 'NOT heron', '_exists_:meta.attacks'])}`]
      : []),
    ...(chance.flip(0.3) ? [`filter[type]=${chance.pick(TYPES)}`] : []),
    ...(chance.flip(0.2) ? [`filter[meta.tlp_color]=${chance.pick(COLOURS)}`] : []),
    ...(chance.flip(0.2) ? [`filter[!meta.attacks]=${chance.pick(NODES)}`] : []),
    ...(chance.flip(0.4) ? [`consolidation=${chance.pick(['all', 'unified', 'contributors'])}`] : []),
  ]
  const chosen = chance.some(entities, 0.5).map(({ id }) => id)
  const own = chance.pick([[], [], datasets, [datasets[0] ?? 0]])
  const within = chance.flip(0.3) && chosen.length > 0 ? chosen : []
  const by = chance.pick(['count', 'recency', 'source', 'type', 'dataset'])
  const dataset = by === 'dataset' && own.length === 0 ? datasets : own
  return {
    shared,
    dataset: within.length > 0 && by !== 'dataset' ? [] : dataset,
    within: by === 'dataset' ? [] : within,
    by,
    matrix: chance.pick(['enterprise-attack', 'enterprise-attack', 'mobile-attack']),
    aggregate: chance.pick(['none', 'sum', 'max']),
    relations: chance.flip(0.4),
    halfLife: chance.pick([1, 30, 365]),
  }
}

/** Requests a heat, and compares it with what the lists of the same reader add up to. Returns the number of nodes. */
async function check(name: string, token: string, seen: Listed, asked: ReturnType<typeof draw>): Promise<number> {
  const { shared, dataset, within, by, matrix, aggregate, relations, halfLife } = asked
  const parameters = [
    ...shared,
    `by=${by}&matrix=${matrix}&aggregate=${aggregate}&relations=${relations}`,
    ...(dataset.length > 0 ? [`dataset=${dataset.join(',')}`] : []),
    ...(within.length > 0 ? [`entities=${within.join(',')}`] : []),
    ...(by === 'recency' ? [`half_life=${halfLife}`] : []),
  ].join('&')
  const got = await corvus.get(`attacks/heat?${parameters}`, token)
  const narrowing = [...dataset.map((id) => `filter[datasets]=${id}`), ...within.map((id) => `filter[id]=${id}`)]
  const scope = await listed([...shared, ...narrowing].join('&'), token)
  const at = Date.parse(got.at)
  const groupsOf = await groupsBy(by, dataset, token)
  const expected = modelHeat(seen, scope, { matrix, by, aggregate, relations, halfLife, at }, groupsOf)
  const where = `${name}: ${parameters}`
  assert.equal(got.total_count, scope.length, where)
  assert.deepEqual(shown(got.data), shown(expected.data), where)
  assert.deepEqual(shown(got.outside), shown(expected.outside), where)
  return got.data.length
}

async function groupsBy(by: string, dataset: readonly number[], token: string): Promise<GroupsOf> {
  if (by === 'source') return ({ source }) => [source]
  if (by === 'type') return ({ type }) => [type]
  if (by !== 'dataset') return () => []
  const members = await Promise.all(dataset.map((id) => listed(`filter[datasets]=${id}`, token)))
  return ({ id }) => dataset.flatMap((each, i) => (members[i]?.some((other) => other.id === id) ? [String(each)] : []))
}

const shown = (rows: readonly { id: string; count: number; score: number; by?: object }[]) =>
  rows
    .map(({ id, count, score, by = {} }) => ({ id, count, score: Math.round(score * 1e6) / 1e6, by }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

test(`heat equals what the lists of a reader add up to, seed ${SEED}`, async () => {
  const chance = chanceOf(SEED + 1)
  const nodes: number[] = []
  for (const [name, token] of Object.entries({ ...corvus.readers, cautious: await makeCautious() })) {
    const seen = await listFor(token)
    assert.ok(seen.entities.length > 0 && (name === 'insider' || seen.entities.length < ENTITIES), name)
    for (let i = 0; i < REQUESTS; i++) nodes.push(await check(name, token, seen, draw(chance, seen)))
  }
  assert.ok(nodes.filter((count) => count > 0).length > nodes.length / 2, 'most heats have nodes')
})

/** A reader who sees the open source up to a colour, and nothing else. */
async function makeCautious(): Promise<string> {
  const token = await corvus.tokenFor('all')
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const { data } = (await corvus.call('GET', 'groups?filter[name]=Default', undefined, corvus.admin)).body
  await corvus.call('DELETE', `groups/${data[0].id}/users/${id}`, undefined, corvus.admin)
  const group = { name: 'Cautious', users: [id], sources: [`${corvus.sources.open}?allowed_tlp=GREEN`] }
  const made = await corvus.call('POST', 'groups', { data: group }, corvus.admin)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return token
}
