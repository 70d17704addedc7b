import { type Kysely, sql } from 'kysely'
import { detailOf, taskOf } from './holding-ids.ts'
import type { Insert } from './inserter.ts'
import { type Instance, id, text } from './instance.ts'
import type { Entity } from './world.ts'

/** Writes policies, why entities were joined, and suggestions. */
export async function insertConsolidation(
  db: Kysely<unknown>,
  insert: Insert,
  instances: readonly Instance[],
): Promise<void> {
  await insert(
    'consolidation_rules',
    'id integer, name text, is_active boolean, merge_group integer, task integer, created_by integer',
    (instance) =>
      instance.world.holdings.policies.map(({ name, group }) => ({
        id: id(instance, name),
        name: text(instance, name),
        is_active: false,
        merge_group: id(instance, group),
        task: id(instance, taskOf(name)),
        created_by: id(instance, 'writer'),
      })),
  )
  await insert(
    'consolidation_configurations',
    'id integer, policy_id integer, entity_types text[], half_life_choice text, tlp_choice text',
    (instance) =>
      instance.world.holdings.policies.map(({ name }) => ({
        id: id(instance, `configuration of ${name}`),
        policy_id: id(instance, name),
        entity_types: ['malware', 'indicator'],
        half_life_choice: 'latest',
        tlp_choice: 'highest',
      })),
  )
  const known = (instance: Instance) => instance.world.entities.filter(({ unifies }) => unifies.length > 0)
  await insert('unified_entities', 'entity uuid, policy integer, source integer, provenance jsonb', (instance) =>
    known(instance).map((unified) => ({
      entity: id(instance, unified.name),
      policy: policyOf(instance, unified),
      source: 0,
      provenance: {},
    })),
  )
  await insert('consolidation_events', EVENT_COLUMNS, (instance) =>
    instance.world.holdings.joinEvents.map(({ name, entity, unified }) => ({
      id: id(instance, name),
      entity: id(instance, entity),
      unified: id(instance, unified),
      vis: 0,
      method: 'rule-based',
      reason: { kind: 'title', value: text(instance, detailOf(name)) },
      created_at: '2026-01-01T00:00:00Z',
    })),
  )
  await insert('consolidation_suggestions', SUGGESTION_COLUMNS, (instance) =>
    instance.world.holdings.suggestions.map(({ name, first, second, state, owner }) => ({
      id: id(instance, name),
      first: id(instance, first),
      second: id(instance, second),
      type: 'malware',
      reasons: [{ kind: 'name', value: text(instance, detailOf(name)) }],
      state,
      created_at: '2026-01-01T00:00:00Z',
      ...(state !== 'open' && { decided_at: '2026-01-02T00:00:00Z', decided_by: id(instance, owner) }),
    })),
  )
  await setKeys(db, instances)
}

const EVENT_COLUMNS =
  'id integer, entity uuid, unified uuid, vis integer, method text, reason jsonb, created_at timestamptz'
const SUGGESTION_COLUMNS =
  'id integer, first uuid, second uuid, type text, reasons jsonb, state text, created_at timestamptz, decided_at timestamptz, decided_by integer'

const policyOf = (instance: Instance, { name }: Entity): string | null => {
  const policy = instance.world.holdings.policies.find(({ unified }) => unified.includes(name))
  return policy ? id(instance, policy.name) : null
}

/** Sets the keys of events, and the sources of the groups of unified entities. */
async function setKeys(db: Kysely<unknown>, instances: readonly Instance[]): Promise<void> {
  const events = instances.flatMap((instance) =>
    instance.world.holdings.joinEvents.map(({ name }) => id(instance, name)),
  )
  await sql`
    update consolidation_events as v set vis = u.vis
    from entities as u where u.id = v.unified and v.id = any(${events}::integer[])`.execute(db)
  await sql`
    update unified_entities as q set source = c.source
    from entities as u join composites as c on c.number = u.vis >> 3
    where u.id = q.entity and q.source = 0`.execute(db)
}
