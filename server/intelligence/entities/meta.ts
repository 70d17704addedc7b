import { sql } from 'kysely'
import { z } from 'zod'
import { readNodes } from '../../attack/classification/nodes.ts'
import { attackOf } from '../../attack/classification/references.ts'
import { withSuccessors } from '../../attack/classification/successors-named.ts'
import { COMPUTED_META } from '../../domain/computed-meta.ts'
import { parseTimestamp } from '../../domain/timestamp.ts'
import { TLP, TLP_ORDER, type Tlp } from '../../domain/tlp.ts'
import { columnsOf, documentAsJson } from '../../engine/document.ts'
import {
  computed,
  int,
  json,
  oneOf,
  readTime,
  refs,
  searched,
  strings,
  text,
  time,
  timestamp,
} from '../../engine/field.ts'
import { ordered } from '../../engine/ordered.ts'
import { parseId, toId } from '../../engine/reference.ts'
import { isStorable, refuseUnstorable } from '../../engine/storable.ts'
import type { Members } from '../../engine/storage.ts'
import { compileReader, DECLINED, type Read } from '../../fast/compiled-reader.ts'
import { rankOf } from '../../identity/access/visibility.ts'
import { attackLexeme, tagLexeme } from '../../search/lexemes.ts'
import { anyLexeme, toSql } from '../../search/sql/parts.ts'
import { type EntityData, halfLives } from './entity-data.ts'
import { isOutdated } from './outdated.ts'
import { extract } from './records/extract.ts'
import { generatedByRecord } from './records/generated-by.ts'
import { reportTemplateSummary } from './records/report-template-summary.ts'
import { recordOf } from './records/shape.ts'
import { isExempt, unifiedStixId } from './unified.ts'
import { sourceReliability, tlpInput } from './vocabulary.ts'

/** What defaults in the meta of a new entity are derived from. */
export interface NewEntity {
  readonly data: EntityData
  readonly now: string
  /** The default colour of the installation. */
  readonly tlp: Tlp | null
}

const references = z.array(z.union([z.string().min(1), z.int()], { error: 'must be an id, a URL or a path' }))

/** The title shown for an entity: its alias, or else its own title. */
export const shownTitleOf = (t: string): string => `coalesce(nullif(${t}.meta->>'alias', ''), ${t}.data->>'title')`

/** The title shown for the entity `t`. */
export const SHOWN_TITLE = shownTitleOf('t')

const colours = `array['${TLP.join("', '")}']`

const byTaxonomy = searched(
  'the id, URL or path of a taxonomy',
  (name) => (name.trim() === '' ? undefined : String(toId('taxonomies', name) ?? name)),
  (_, values) => {
    const ids = values.filter((value) => parseId('integer', value) !== undefined)
    return sql`exists (
      select from entity_taxonomies as l join taxonomies as o on o.id = l.target
      where l.source = t.id
        and (o.id = any(${ids}::integer[]) or array_to_string(o.path, '/') = any(${values}::text[])))`
  },
)

const flag = (expression: Parameters<typeof computed>[2]) => computed('boolean', z.boolean(), expression)

/** The members of an entity's meta. Those without a column, link table or expression are stored in the document. */
export const metaMembers = {
  alias: text().accepts(z.string()).describe('A title that analysts gave it, shown instead of its own.'),
  manual_extracts: json(z.array(extract)).writeOnly(),
  report_template: json(reportTemplateSummary).nullable(),
  generated_by: json(generatedByRecord).nullable(),
  source_reliability: oneOf(sourceReliability.options as ['A', ...string[]])
    .accepts(sourceReliability)
    .nullable(),
  // Part of the visibility key, which filters use.
  tlp_color: oneOf(TLP)
    .accepts(tlpInput)
    .nullable()
    .derived(({ tlp }: NewEntity, given) => (given === null ? null : tlp))
    .filteredBy(
      ordered(
        TLP_ORDER,
        computed(
          'text',
          z.string(),
          () => sql`(${sql.raw(colours)})[${rankOf(sql`t.vis`)} + 1]`,
          (name) => (name === 'CLEAR' ? 'WHITE' : name),
        ),
      ),
    )
    .describe('The TLP colour.'),
  half_life: int(1, 10_000_000)
    .inColumn('half_life')
    .derived(({ data }: NewEntity) => halfLives[data.type])
    .describe('The days in which its relevancy halves.'),
  estimated_threat_start_time: timestamp()
    .nullable()
    .inColumn('threat_start')
    .derived(({ data, now }: NewEntity) => timeIn(data) ?? now)
    .describe('When the threat began.'),
  estimated_threat_end_time: timestamp().nullable().inColumn('threat_end').describe('When the threat ended.'),
  estimated_observed_time: timestamp()
    .nullable()
    .inColumn('observed')
    .derived(({ now }: NewEntity) => now)
    .describe('When it was observed.'),
  tags: strings()
    // Clients that split an empty string send one empty tag.
    .accepts(z.array(z.string().max(500)).overwrite((tags) => tags.filter((tag) => tag.trim() !== '')))
    .inColumn('tags')
    .filteredBy(
      searched(
        'a tag',
        (tag) => tag,
        (_, values) => toSql(anyLexeme(values.map(tagLexeme))),
      ),
    )
    .describe('The same as `tags`.'),
  taxonomies: refs('taxonomies', 'entity_taxonomies')
    .accepts(references)
    .filteredBy(byTaxonomy)
    .describe('Ids of taxonomies.'),
  attacks: strings()
    .accepts(references)
    .inColumn('attacks')
    .filteredBy(
      searched('the id or URL of an attack node', attackOf, async (ctx, values) =>
        toSql(anyLexeme(withSuccessors(await readNodes(ctx), values).map(attackLexeme))),
      ),
    )
    .shownAs((baseUrl, ids) => (ids as string[]).map((id) => `${baseUrl}/api/v2/attacks/${id}`))
    .describe('Ids of nodes of attack frameworks.'),
  title: computed('text', z.string(), SHOWN_TITLE).describe('The title to show: the alias, or else the title.'),
  first_ingest_time: computed('timestamptz', z.string(), 't.created_at').describe('The same as `created_at`.'),
  ingest_time: computed('timestamptz', z.string(), 't.last_updated_at').describe('The same as `last_updated_at`.'),
  is_outdated_version: flag(isOutdated).describe('Whether another entity is an update of it.'),
  is_unresolved_idref: flag('t.is_unresolved').describe(
    'Whether only its STIX id is known, because other objects refer to it.',
  ),
  is_withdrawn: flag('t.is_withdrawn').describe('Whether its publisher has withdrawn it.'),
  is_unified_entity: flag('t.is_unified').describe('Whether it unifies other entities.'),
  is_contributor_to: computed('text', z.string().nullable(), unifiedStixId).describe(
    'The STIX id of the unified entity that it contributes to, if you see all its contributors.',
  ),
  is_exempt_from_consolidation: flag(isExempt).describe('Whether only a person can consolidate it.'),
} satisfies Members

const timeIn = ({ timestamp: said }: EntityData): string | undefined =>
  typeof said === 'string' ? parseTimestamp(said) : undefined

type MetaMembers = typeof metaMembers
type Sent = {
  [K in keyof MetaMembers as MetaMembers[K]['props']['access'] extends 'read-only' ? never : K]: MetaMembers[K]
}

const inputs = Object.fromEntries(
  Object.entries(metaMembers).flatMap(([name, { props }]) =>
    props.access === 'read-only' ? [] : [[name, props.input]],
  ),
) as { [K in keyof Sent]: Sent[K]['props']['input'] }

const metaFields = recordOf({}, inputs)

/** The meta of an entity in requests. */
export const entityMeta = metaFields.overwrite(withoutComputed).check(refuseUnstorable)

/** The meta of an entity in requests and in the database. */
export type EntityMeta = z.output<typeof entityMeta>

const readFields = compileReader(metaFields, new Map([[time, readTime]]))

/** A faster reader for what `entityMeta` accepts. */
export const readEntityMeta: Read = (value) => {
  const meta = readFields(value)
  return meta !== DECLINED && isStorable(meta) ? withoutComputed(meta as Record<string, unknown>) : DECLINED
}

/** Drops calculated members: clients send back what they received. */
function withoutComputed<M extends Record<string, unknown>>(meta: M): M {
  if (!COMPUTED_META.some((name) => Object.hasOwn(meta, name))) return meta
  const computed = new Set<string>(COMPUTED_META)
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !computed.has(name))) as M
}

/** The members of the meta that have columns. */
export const metaColumns = columnsOf(metaMembers)

/** The complete meta of the entity `t` as JSON, as stored in versions. */
export const metaAsSent = documentAsJson('meta', metaMembers)
