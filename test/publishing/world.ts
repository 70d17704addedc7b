import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { tlpRank } from '../../server/domain/tlp.ts'
import { keyOf, rankOf, sourceOf } from '../../server/identity/access/visibility.ts'
import { corvus, make, put } from './set-up.ts'

/** Entities that formats treat differently; the fourth was created as STIX. */
const ENTITIES = [
  { data: { type: 'report', title: 'evil one' }, meta: { tags: ['red', 'evil'] } },
  { data: { type: 'indicator', title: 'two' }, meta: { tlp_color: 'GREEN', tags: ['red'], half_life: 20 } },
  { data: { type: 'threat-actor', title: 'three' }, meta: { tlp_color: 'AMBER', half_life: 60 } },
  {
    data: {
      type: 'malware',
      id: 'malware--2d5bd0c8-9d0b-4d0e-8b6e-0d0f3f1d2a11',
      title: 'four, "quoted"',
      modified: '2024-01-01T00:00:00.000Z',
      created: '2024-01-01T00:00:00.000Z',
    },
  },
  { data: { type: 'vendor-sighting', title: '=five' }, meta: { tlp_color: 'RED' } },
]
/** The entity that unifies others from time to time. */
const UNIFIED = { data: { type: 'malware', title: 'six in one' }, meta: { tlp_color: 'GREEN' } }

const OBSERVABLES = [
  { type: 'domain', value: 'evil-a.example' },
  { type: 'domain', value: 'a.example' },
  { type: 'ipv4', value: '192.0.2.1' },
  { type: 'file', value: 'evil, "x".exe' },
]
const LINKS = [
  [0, 1],
  [1, 0],
  [1, 2],
  [2, 1],
  [3, 2],
  [0, 4],
] as const

export interface World {
  readonly entities: readonly string[]
  readonly unified: string
  readonly observables: readonly number[]
  readonly relationships: readonly string[]
  readonly dataset: number
  readonly taxonomy: number
  /** The numbers of two sources that the owner sees. */
  readonly sources: readonly number[]
}

/** Creates the world once. All changes to it are rolled back; copies of its tables let deleted objects be restored. */
export async function makeWorld(): Promise<World> {
  const [home] = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data
  const other = await make('groups', { name: 'Other; group' })
  const sources = [...home.sources, `${other.source}?allowed_tlp=RED`]
  const { status, body } = await corvus.call('PATCH', `groups/${home.id}`, { data: { sources } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  const observables = await put('observables', OBSERVABLES)
  const entities = await put(
    'entities',
    ENTITIES.map((entity, i) => ({ ...entity, observables: [OBSERVABLES[i % 4], OBSERVABLES[(i + 1) % 4]] })),
  )
  const [unified] = await put('entities', [{ ...UNIFIED, observables: OBSERVABLES.slice(0, 2) }])
  const relationships = await put(
    'relationships',
    LINKS.map(([from, to]) => ({
      data: { source: entities[from].id, target: entities[to].id, key: 'related-to' },
      sources: [home.source],
    })),
  )
  const ids = entities.map(({ id }: { id: string }) => id)
  const dataset = await make('datasets', { name: 'World', workspaces: [1], entities: ids.slice(0, 4) })
  const [, taxonomy] = (await corvus.call('POST', 'taxonomies', { data: { path: ['a', 'b'] } })).body.data
  const { rows } = await sql<{ number: number }>`
    select distinct number from sources where name in ('Default', 'Other; group') order by 1`.execute(corvus.db)
  for (const table of ['entities', 'relationships']) {
    await sql`create table ${sql.table(`world_${table}`)} as select * from ${sql.table(table)}`.execute(corvus.db)
  }
  await sql`delete from entity_observables where source = ${unified.id}`.execute(corvus.db)
  await sql`delete from entities where id = ${unified.id}`.execute(corvus.db)
  return {
    entities: ids,
    unified: unified.id,
    observables: observables.map(({ id }: { id: number }) => id),
    relationships: relationships.map(({ id }: { id: string }) => id),
    dataset: dataset.id,
    taxonomy: taxonomy.id,
    sources: rows.map(({ number }) => number),
  }
}

/** A change of the world: what changes, in which object, and how. */
export const change = fc.record({
  what: fc.constantFrom(
    'title',
    'tags',
    'colour',
    'source',
    'delete',
    'restore',
    'link',
    'link',
    'judge',
    'relate',
    'relate',
    'describe',
    'dataset',
    'dataset',
    'classify',
    'rename',
    'touch',
    'unify',
    'unify',
    'unify',
  ),
  which: fc.nat(19),
  how: fc.nat(11),
})

export type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

/** Applies a change directly to the database. */
export async function makeChange(db: Kysely<unknown>, world: World, { what, which, how }: Change): Promise<void> {
  const entity = world.entities[which % world.entities.length]
  const relationship = world.relationships[which % world.relationships.length]
  const observable = world.observables[how % world.observables.length]
  const update = (set: ReturnType<typeof sql>) =>
    sql`update entities set ${set}, last_updated_at = clock_timestamp() where id = ${entity}`.execute(db)
  const toggle = async (table: string, columns: string, ...values: unknown[]) => {
    const [first, second] = columns.split(' ').map((name) => sql.ref(name))
    const target = sql.table(table)
    const { numAffectedRows } = await sql`
      delete from ${target} where ${first} = ${values[0]} and ${second} = ${values[1]}`.execute(db)
    if (numAffectedRows) return
    await sql`insert into ${target} (${first}, ${second}) values (${values[0]}, ${values[1]})`.execute(db)
  }
  const colour = (['NONE', 'GREEN', 'AMBER', 'RED'] as const)[how % 4] ?? 'NONE'
  switch (what) {
    case 'title':
      return void (await update(
        sql`data = data || jsonb_build_object('title', ${`${how % 2 ? 'evil ' : ''}${how}`}::text)`,
      ))
    case 'tags':
      return void (await update(sql`tags = ${['evil', `t${how}`].slice(0, 1 + (how % 2))}::text[]`))
    case 'colour':
      return void (await update(
        sql`vis = (vis & ~7) | ${tlpRank(colour)}::integer, meta = meta || jsonb_build_object('tlp_color', ${colour}::text)`,
      ))
    case 'source':
      return void (await update(sql`vis = ${keyOf(sql`${world.sources[how % 2]}::integer`, rankOf(sql`vis`))}`))
    case 'touch':
      return void (await update(sql`is_outdated = is_outdated`))
    case 'delete':
      await sql`delete from relationships where source = ${entity} or target = ${entity}`.execute(db)
      for (const table of ['entity_observables', 'entity_taxonomies'])
        await sql`delete from ${sql.table(table)} where source = ${entity}`.execute(db)
      await sql`delete from dataset_entities where target = ${entity}`.execute(db)
      await sql`delete from contributors where entity = ${entity}`.execute(db)
      return void (await sql`delete from entities where id = ${entity}`.execute(db))
    case 'restore':
      await sql`insert into entities select * from world_entities where id = ${entity} on conflict do nothing`.execute(
        db,
      )
      return void (await sql`
        insert into dataset_entities (source, target) values (${world.dataset}, ${entity}) on conflict do nothing`.execute(
        db,
      ))
    case 'link':
      return toggle('entity_observables', 'source target', entity, observable)
    case 'judge':
      // Both are verdicts on the observable: that of the source of the world, and that of a link.
      await sql`
        update observable_records set last_updated_at = clock_timestamp(),
          maliciousness = ${how % 2 ? 'high' : null}
        where observable = ${observable}`.execute(db)
      return void (await sql`
        update entity_observables set rated_at = clock_timestamp(), maliciousness = ${how % 3 ? 'high' : null}
        where target = ${observable} and source = ${entity}`.execute(db))
    case 'relate': {
      const { numAffectedRows } = await sql`delete from relationships where id = ${relationship}`.execute(db)
      if (numAffectedRows) return
      return void (await sql`
        insert into relationships select r.* from world_relationships as r
        where r.id = ${relationship} and 2 = (select count(*) from entities where id in (r.source, r.target))`.execute(
        db,
      ))
    }
    case 'describe':
      return void (await sql`
        update relationships set last_updated_at = clock_timestamp(),
          data = data || jsonb_build_object('description', ${`evil ${how}`}::text)
        where id = ${relationship}`.execute(db))
    case 'dataset':
      return toggle('dataset_entities', 'source target', world.dataset, entity)
    case 'classify':
      return toggle('entity_taxonomies', 'source target', entity, world.taxonomy)
    case 'unify':
      return unify(db, world, which, how)
    case 'rename':
      return void (await sql`update sources set name = ${`evil; source ${how}`} where number = ${world.sources[how % 2]}`.execute(
        db,
      ))
  }
}

/** Makes the unified entity of two or three entities; if it is there, takes it apart or changes it. */
async function unify(
  db: Kysely<unknown>,
  { entities, unified, observables, dataset }: World,
  which: number,
  how: number,
) {
  const { rows } = await sql`select from entities where id = ${unified}`.execute(db)
  if (rows.length > 0 && how % 3 === 0) {
    await sql`
      update entities set data = data || jsonb_build_object('title', ${`${how} in one`}::text), last_updated_at = clock_timestamp()
      where id = ${unified}`.execute(db)
    return
  }
  await sql`delete from dataset_entities where target = ${unified}`.execute(db)
  await sql`delete from entity_observables where source = ${unified}`.execute(db)
  await sql`delete from entities where id = ${unified}`.execute(db)
  if (rows.length > 0) return
  const parts = [which, which + 1, ...(how % 2 ? [which + 3] : [])].map((i) => entities[i % entities.length])
  await sql`insert into entities select * from world_entities where id = ${unified}`.execute(db)
  await sql`
    insert into contributors (entity, unified)
    select id, ${unified} from entities where id = any(${parts}::uuid[])`.execute(db)
  await sql`insert into entity_observables (source, target) values (${unified}, ${observables[how % 4]})`.execute(db)
  if (how % 4 === 0)
    await sql`insert into dataset_entities (source, target) values (${dataset}, ${unified})`.execute(db)
  await sql`
    update entities as t
    set is_unified = true, last_updated_at = clock_timestamp(), vis = composite_of(${sourceOf(sql`vis`)}, ${rankOf(sql`vis`)}, array(
      select e.vis from contributors as m join entities as e on e.id = m.entity where m.unified = t.id))
    where t.id = ${unified}`.execute(db)
}

/** A change of the settings of feeds. */
export const edit = fc.constantFrom(
  { anonymisation: [{ find: 'evil', replace: 'good' }] },
  // Merges two observables into one.
  { anonymisation: [{ find: 'evil-', replace: '' }] },
  { anonymisation: [] },
  { tlp_color_override: 'WHITE' },
  { tlp_color_override: null },
  { tlp_color_filter: 'AMBER' },
  { tlp_color_filter: null },
  { extract_types: ['domain'] },
  { extract_types: [] },
  { allowed_extract_states: [{ classification: 'bad', confidence: 'high' }] },
  { allowed_extract_states: [] },
  { entity_types: ['report', 'indicator', 'malware'] },
  { entity_types: [] },
  { half_life_filter: 50 },
  { half_life_filter: null },
  { include_relationships: false },
  { include_relationships: true },
  { consolidation: 'unified' },
  { consolidation: 'unified' },
  { consolidation: 'all' },
  { consolidation: 'contributors' },
  { base_url: 'https://other.example' },
)

const DOCUMENTS = new Set(['anonymisation', 'allowed_extract_states'])

/** Updates columns of feeds. */
export async function editFeeds(
  db: Kysely<unknown>,
  feeds: readonly number[],
  columns: Record<string, unknown>,
): Promise<void> {
  const sets = Object.entries(columns).map(([name, value]) => {
    const stored = DOCUMENTS.has(name) ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`
    return sql`${sql.ref(name)} = ${stored}`
  })
  await sql`update outgoing_feeds set ${sql.join(sets)} where id = any(${feeds}::integer[])`.execute(db)
}
