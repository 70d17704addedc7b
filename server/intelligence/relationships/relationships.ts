import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { TLP, TLP_ORDER } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { bool, computed, json, refs, searched, time } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { ordered } from '../../engine/ordered.ts'
import { toId } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import { withExample } from '../../engine/route.ts'
import { stamps } from '../../engine/stamps.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { holdsAnyKey, holdsKey } from '../../identity/access/sight.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { seek } from '../../search/sql/compile.ts'
import { recordOf } from '../entities/records/shape.ts'
import { withContributors } from '../entities/unified.ts'
import { sourceReliability, tlpInput } from '../entities/vocabulary.ts'
import { relationshipOperations } from './relationship-operations.ts'
import { relationshipFields } from './search-fields.ts'

const end = z.union([z.string().min(1).max(2000), z.looseObject({ id: z.string() })], {
  error: 'must be the id, URL or STIX id of an entity',
})

/** The `data` of a relationship. */
export const relationshipData = recordOf(
  { source: end, target: end },
  {
    key: z
      .string()
      .max(256)
      .regex(/^[a-z0-9-]*$/, 'must contain only a-z, 0-9 and hyphens'),
    subtype: z.literal('stix_update_of').nullable(),
    description: z.string(),
  },
).check(refuseUnstorable)

/** The `meta` of a relationship. */
export const relationshipMeta = recordOf(
  {},
  {
    estimated_threat_start_time: time.nullable(),
    estimated_threat_end_time: time.nullable(),
    source_reliability: sourceReliability.nullable(),
    tlp_color: tlpInput.nullable(),
  },
).check(refuseUnstorable)

/** The visible sources of the relationship `t`. */
const visibleSources = (ctx: Context): RawBuilder<unknown> => sql`
  select s.id from unnest(t.vis) as k(key) join sources as s on s.number = ${sourceOf(sql`k.key`)}
  where ${holdsKey(ctx, sql`k.key`)}`

const entityId = (text: string): string | undefined => toId('entities', text) as string | undefined
const endIs = (columns: readonly ('source' | 'target')[]) =>
  searched('the id or URL of an entity', entityId, async (ctx, values) => {
    const ids = await withContributors(ctx, values)
    return sql`(${sql.join(
      columns.map((column) => sql`t.${sql.ref(column)} = any(${ids}::uuid[])`),
      sql` or `,
    )})`
  })

const isSeen = (ctx: Context, id: RawBuilder<unknown>) =>
  sql`exists (select from entities as v where v.id = ${id} and ${holdsKey(ctx, sql`v.vis`)})`

const itsEnd = (t: string, end: 'source' | 'target') =>
  sql`(select jsonb_build_array(v.vis) from entities as v where v.id = ${sql.ref(`${t}.${end}`)})`

const key = computed('text', z.string(), 't.key')
const colours = `array['${TLP.join("', '")}']`

/** For the documentation: the ids stand for objects that do not exist. */
const sample = {
  data: {
    source: '0198f2a4-0000-7000-8000-000000000001',
    key: 'indicates',
    target: '0198f2a4-0000-7000-8000-000000000002',
  },
  sources: ['0198f2a4-0000-7000-8000-000000000003'],
}

export const relationships = defineResource({
  collection: 'relationships',
  title: 'Relationship',
  doc: 'A relationship between two entities. It is visible to users who can see both entities and one of its sources.',
  key: ['id'],
  permission: 'entities',
  fields: {
    data: json(relationshipData).required(),
    meta: json(relationshipMeta).default({}),
    sources: refs('sources', 'relationship_sources', {
      isSeenWithOwner: true,
      shown: (ctx) => sql`(select coalesce(json_agg(s.id order by s.id), '[]') from (${visibleSources(ctx)}) as s)`,
    })
      .accepts(z.array(link('sources')).min(1))
      .required(),
    strict_stix_1: bool().readOnly().describe('Whether STIX 1.2 defines this relationship between these entity types.'),
    strict_stix_2: bool().readOnly().describe('Whether STIX 2.1 defines this relationship between these entity types.'),
    ...stamps,
    source: computed('uuid', z.string(), 't.source').hidden(),
    target: computed('uuid', z.string(), 't.target').hidden(),
    key: computed('text', z.string(), 't.key').hidden(),
    subtype: computed('text', z.string(), 't.subtype').hidden(),
  },
  visible: {
    condition: (ctx, t) =>
      sql`(${holdsAnyKey(ctx, sql.ref(`${t}.vis`))} and ${isSeen(ctx, sql.ref(`${t}.source`))}
      and ${isSeen(ctx, sql.ref(`${t}.target`))})`,
    keys: (t) =>
      sql`jsonb_build_array(to_jsonb(${sql.ref(`${t}.vis`)}), ${itsEnd(t, 'source')}, ${itsEnd(t, 'target')})`,
  },
  search: {
    filters: {
      'data.source': endIs(['source']),
      'data.target': endIs(['target']),
      source: endIs(['source']),
      target: endIs(['target']),
      entities: endIs(['source', 'target']),
      key,
      'data.key': key,
      'data.subtype': computed('text', z.string(), 't.subtype'),
      sources: searched(
        'the id or URL of a source',
        (text) => toId('sources', text) as string | undefined,
        (ctx, values) => sql`exists (select from (${visibleSources(ctx)}) as s where s.id = any(${values}::uuid[]))`,
      ),
      'meta.tlp_color': ordered(
        TLP_ORDER,
        computed('text', z.string(), () => sql`(${sql.raw(colours)})[${rankOf(sql`t.vis[1]`)} + 1]`),
      ),
    },
    query: (ctx, query) => seek(ctx, relationshipFields, query),
  },
  operations: relationshipOperations,
  routes: (standard) => standard.map((route) => withExample(route, sample)),
})
