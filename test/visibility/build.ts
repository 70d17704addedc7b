import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { sourceOf } from '../../server/identity/access/visibility.ts'
import type { startApp } from '../app.ts'
import { MATRIX } from './analysing.ts'
import { buildHoldings } from './build-holdings.ts'
import { type Instance, id, observableValue, register, stixId, text } from './instance.ts'
import { versionOf } from './model.ts'
import { addPeople } from './people.ts'
import { analyse } from './tables.ts'
import { unify } from './unify.ts'
import type { Entity } from './world.ts'

type Corvus = Awaited<ReturnType<typeof startApp>>
type Row = { readonly id: string | number }

/**
 * Writes instances through the API, all of them in the same requests, so that objects of two instances of a world have
 * the same times and the same order.
 */
export async function build(corvus: Corvus, instances: readonly Instance[]): Promise<void> {
  const token = await addPeople(corvus.db, instances)
  const writer = writerOf(corvus, instances, token)
  await buildSurroundings(writer)
  await buildEntities(writer, () => analyse(corvus.db))
  await buildLinks(writer)
  await buildAnalyses(writer)
  await unify(corvus.db, instances)
  await setCreators(corvus, instances)
  await findOthers(corvus, instances)
  await setVerdicts(corvus, instances)
  await buildHoldings(corvus, instances, token)
  await analyse(corvus.db)
}

type Writer = ReturnType<typeof writerOf>

function writerOf(corvus: Corvus, instances: readonly Instance[], token: string) {
  async function put<T>(
    path: string,
    listOf: (instance: Instance) => readonly T[],
    bodyOf: (item: T, instance: Instance) => unknown,
  ) {
    const items = instances.flatMap((instance) => listOf(instance).map((item) => ({ item, instance })))
    if (items.length === 0) return []
    const bodies = items.map(({ item, instance }) => bodyOf(item, instance))
    const { status, body } = await corvus.call('PUT', path, bodies, token)
    assert.ok(status < 300, `PUT ${path}: ${JSON.stringify(body).slice(0, 2000)}`)
    return items.map(({ item, instance }, i) => ({ item, instance, row: body.data[i] as Row }))
  }

  /** Creates objects with PUT, and registers their ids. */
  async function make<T extends { readonly name: string }>(...parts: Parameters<typeof put<T>>): Promise<void> {
    for (const { item, instance, row } of await put(...parts)) register(instance, item.name, row.id)
  }

  return { put, make }
}

/** Datasets, tickets and workspaces that contain entities, and taxonomies. */
async function buildSurroundings({ make }: Writer): Promise<void> {
  await make(
    'workspaces',
    ({ world }) => world.workspaces,
    ({ name, isPublic, collaborators, groups }, instance) => ({
      name: text(instance, name),
      is_public: isPublic,
      collaborators: idsOf(instance, collaborators),
      groups: idsOf(instance, groups),
    }),
  )
  await make(
    'datasets',
    ({ world }) => world.datasets,
    ({ name, workspaces, query }, instance) => ({
      name: text(instance, name),
      workspaces: idsOf(instance, workspaces),
      ...(query !== null && { search_query: query }),
    }),
  )
  await make(
    'entities/attachments',
    ({ world }) => world.attachments,
    ({ name, content }, instance) => ({
      filename: `${text(instance, name)}.txt`,
      data: Buffer.from(text(instance, content)).toString('base64'),
    }),
  )
}

/** Entities in all their states. */
async function buildEntities({ make, put }: Writer, afterFirst: () => Promise<void>): Promise<void> {
  await make(
    'entities',
    ({ world }) => world.entities,
    (entity, instance) => entityBody(instance, entity, 0),
  )
  await afterFirst()
  for (const i of [1, 2]) {
    await put(
      'entities',
      ({ world }) => world.entities.filter(({ states }) => states.length > i),
      (entity, instance) => entityBody(instance, entity, i),
    )
  }
}

/** Relationships, and observables that have their own sources. */
async function buildLinks({ make, put }: Writer): Promise<void> {
  await make(
    'relationships',
    ({ world }) => world.relationships,
    ({ name, from, to, key, isUpdate, sources, colour }, instance) => ({
      data: {
        source: id(instance, from),
        target: instance.ids.get(to) ?? stixId(instance, to, 'malware'),
        key,
        ...(isUpdate && { subtype: 'stix_update_of' }),
        description: text(instance, name),
      },
      meta: colour === undefined ? {} : { tlp_color: colour },
      sources: idsOf(instance, sources),
    }),
  )
  await put(
    'observables',
    ({ world }) => world.observables.filter(({ sources }) => sources.length > 0),
    (observable, instance) => ({
      type: observable.type,
      value: observableValue(instance, observable),
      sources: idsOf(instance, observable.sources),
    }),
  )
  await make(
    'tickets',
    ({ world }) => world.tickets,
    ({ name, workspaces, entities }, instance) => ({
      name: text(instance, name),
      workspaces: idsOf(instance, workspaces),
      entities: idsOf(instance, entities),
    }),
  )
  await put(
    'workspaces',
    ({ world }) => world.workspaces,
    ({ name, entities }, instance) => ({ name: text(instance, name), entities: idsOf(instance, entities) }),
  )
}

/** Analyses with their layers and annotations. */
async function buildAnalyses({ make }: Writer): Promise<void> {
  await make(
    'attack_analyses',
    ({ world }) => world.analyses,
    ({ name, datasets, entities, layer }, instance) => ({
      name: text(instance, name),
      attack_matrix: MATRIX,
      scope_datasets: idsOf(instance, datasets),
      scope_entities: idsOf(instance, entities),
      ...(layer && {
        ui_metadata: {
          layer: {
            name: text(instance, name),
            domain: MATRIX,
            techniques: layer.map((techniqueID) => ({ techniqueID, score: 1 })),
          },
        },
      }),
    }),
  )
  await make(
    'attack_analyses/annotations',
    ({ world }) => world.annotations,
    ({ name, analysis, node }, instance) => ({
      attack_analysis: id(instance, analysis),
      attack_node: node,
      content: text(instance, name),
    }),
  )
}

const idsOf = (instance: Instance, names: readonly string[]): string[] => names.map((name) => id(instance, name))

function entityBody(instance: Instance, entity: Entity, i: number) {
  const { name, type, states, attachments, datasets, refersTo } = entity
  const { source, colour, tags, taxonomies, attacks, observables, verdict } = states[i] ?? states[0]
  const own = instance.world.observables.filter((observable) => observables.includes(observable.name))
  return {
    data: {
      id: stixId(instance, name, type),
      type,
      ...(type === 'custom-entity' && { custom_entity_type: 'thing' }),
      title: text(instance, versionOf(entity, i)),
      description: `About ${text(instance, `${versionOf(entity, i)}text`)}.`,
      ...(refersTo !== null && { other_refs: [stixId(instance, refersTo, 'malware')] }),
    },
    meta: {
      ...(colour !== undefined && { tlp_color: colour }),
      tags: tags.map((tag) => (tag.endsWith('tag') ? text(instance, tag) : tag)),
      taxonomies,
      attacks,
    },
    sources: idsOf(instance, [source]),
    observables: own.map((observable) => ({
      type: observable.type,
      value: observableValue(instance, observable),
      ...(verdict !== undefined && { maliciousness: verdict }),
    })),
    attachments: idsOf(instance, attachments),
    datasets: idsOf(instance, datasets),
  }
}

/** Attachments are created by one user, and some of them are given to the viewers. */
async function setCreators({ db }: Corvus, instances: readonly Instance[]): Promise<void> {
  const pairs = instances.flatMap((instance) =>
    instance.world.attachments.map(({ name, creator }) => [id(instance, name), id(instance, creator)] as const),
  )
  await sql`
    update attachments as t set created_by = i.creator
    from unnest(${pairs.map(([name]) => name)}::uuid[], ${pairs.map(([, creator]) => creator)}::integer[])
      as i(id, creator)
    where t.id = i.id`.execute(db)
}

/** Registers the ids of objects that were created implicitly: observables of entities, and entities that are only referred to. */
async function findOthers({ db }: Corvus, instances: readonly Instance[]): Promise<void> {
  const observables = await sql<{ id: number; key: string }>`select id, value as key from observables`.execute(db)
  const stubs = await sql<{ id: string; key: string }>`
    select id, stix_id as key from entities where is_unresolved`.execute(db)
  const ids = new Map([...observables.rows, ...stubs.rows].map((row) => [row.key, row.id]))
  for (const instance of instances) {
    const { world } = instance
    for (const each of world.observables) register(instance, each.name, ids.get(observableValue(instance, each)))
    for (const { name } of world.stubs) register(instance, name, ids.get(stixId(instance, name, 'malware')))
  }
}

/** Written directly to the database, because the writer belongs to all groups and would write for all of them. */
async function setVerdicts({ db }: Corvus, instances: readonly Instance[]): Promise<void> {
  const said = instances.flatMap((instance) =>
    instance.world.observables.flatMap(({ name, sources, verdicts }) =>
      sources.map((source, i) => ({
        id: id(instance, name),
        source: id(instance, source),
        level: verdicts[i] ?? null,
      })),
    ),
  )
  await sql`
    update observable_records as r
    set maliciousness = nullif(i.level, 'unknown'), last_updated_at = case when i.level is null then r.last_updated_at else now() end
    from unnest(
      ${said.map((each) => each.id)}::integer[], ${said.map(({ source }) => source)}::uuid[],
      ${said.map(({ level }) => level)}::text[]) as i(id, source, level)
    join sources as s on s.id = i.source
    where r.observable = i.id and ${sourceOf(sql`r.vis`)} = s.number`.execute(db)
}
