import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { attackLexeme } from '../../server/search/lexemes.ts'
import type { Chance } from '../visibility/chance.ts'
import type { Listed, ListedEntity } from './heat-model.ts'
import { startUnified } from './unified-entities.ts'

const RELATIONSHIPS = 60

/** Of two matrices. */
export const LIVE = [
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
export const DEAD = ['TA0002:T1086', 'TA0099:T9999']
export const TYPES = ['malware', 'campaign', 'intrusion-set', 'report']
export const COLOURS = ['WHITE', 'GREEN', 'RED']
const WORDS = ['heron', 'otter']

type Corvus = Awaited<ReturnType<typeof startUnified>>

const idOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** The application with random classified entities, some of them unified, with random relationships and two datasets. */
export async function startClassified(chance: Chance, count: number) {
  const corvus = await startUnified()
  const ids = await makeEntities(corvus, chance, count)
  const pairs = Array.from({ length: RELATIONSHIPS }, () => `${chance.pick(ids)} ${chance.pick(ids)}`)
  for (const pair of new Set(pairs)) {
    const [from = '', to = ''] = pair.split(' ')
    if (from !== to) await relate(corvus, chance, from, to)
  }
  for (const first of [0, 3, 6]) {
    const contributors = ids.slice(first, first + 3)
    const unified = await corvus.unify(contributors, 'heron')
    await sql`
      update entities set attacks = array(
        select distinct a.node from entities as e, unnest(e.attacks) as a(node) where e.id = any(${contributors}::uuid[]))
      where id = ${unified}::uuid`.execute(corvus.db)
  }
  const workspace = { workspaces: [1] }
  const some = await corvus.post('datasets', { name: 'some', ...workspace, entities: chance.some(ids, 0.4) })
  const found = await corvus.post('datasets', { name: 'found', ...workspace, search_query: 'heron' })
  const readers = { ...corvus.readers, cautious: await makeCautious(corvus) }
  return { ...corvus, datasets: [some.id, found.id] as readonly number[], readers }
}

async function makeEntities(corvus: Corvus, chance: Chance, count: number): Promise<string[]> {
  const { first, second, open } = corvus.sources
  const start = () => new Date(Date.now() - (chance.below(800) - 20) * 86_400_000).toISOString()
  const items = Array.from({ length: count }, (_, i) => ({
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
    await sql`
      update entities
      set attacks = attacks || ${node}::text, search = search || array_to_tsvector(array[${attackLexeme(node)}::text])
      where id = any(${some}::uuid[])`.execute(corvus.db)
  }
  return ids
}

async function relate({ call, admin, sources }: Corvus, chance: Chance, source: string, target: string): Promise<void> {
  const own = chance.pick([sources.second, sources.open])
  const item = { data: { source, target, key: 'uses' }, sources: [own] }
  const { status, body } = await call('POST', 'relationships', { data: item }, admin)
  assert.ok(status === 201 || status === 400 || status === 404, JSON.stringify(body))
}

/** A reader who sees the open source up to a colour, and nothing else. */
async function makeCautious({ call, admin, tokenFor, sources }: Corvus): Promise<string> {
  const token = await tokenFor('all')
  const { id } = (await call('GET', 'users/self', undefined, token)).body.data
  const { data } = (await call('GET', 'groups?filter[name]=Default', undefined, admin)).body
  await call('DELETE', `groups/${data[0].id}/users/${id}`, undefined, admin)
  const group = { name: 'Cautious', users: [id], sources: [`${sources.open}?allowed_tlp=GREEN`] }
  const made = await call('POST', 'groups', { data: group }, admin)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return token
}

/** What a reader sees, read as lists. */
export async function listFor({ get }: Pick<Corvus, 'get'>, token: string): Promise<Listed> {
  const entities = await listEntities({ get }, 'entities?', token)
  const relationships = (await get('relationships?limit=2000', token)).data
  const states = ['live', 'revoked', 'deprecated'].map((state) => `filter[state]=${state}`).join('&')
  const ids = [...LIVE, ...DEAD].flatMap((id) => [id, id.split('.')[0]]).map((id) => `filter[id]=${id}`)
  const { data } = await get(`attacks?limit=2000&${states}&${ids.join('&')}`, token)
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

/** The entities of a list, all on one page. */
export async function listEntities({ get }: Pick<Corvus, 'get'>, path: string, token: string): Promise<ListedEntity[]> {
  const { data, total_count } = await get(`${path}&limit=2000`, token)
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
