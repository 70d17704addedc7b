import { sql } from 'kysely'
import { z } from 'zod'
import type { Collection } from '../../collections.ts'
import { TLP, TLP_ORDER } from '../../domain/tlp.ts'
import { computed, searched } from '../../engine/field.ts'
import { ordered } from '../../engine/ordered.ts'
import { parseId, toId } from '../../engine/reference.ts'
import type { Fields } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { keysOf, rankOf } from '../../identity/access/visibility.ts'
import { attackLexeme, tagLexeme } from '../../search/lexemes.ts'
import { compileQuery } from '../../search/sql/compile.ts'
import { anyLexeme, toSql } from '../../search/sql/parts.ts'
import { titleQuery } from '../../search/sql/title-filter.ts'
import { inDatasets } from '../datasets/dataset-condition.ts'
import { currentType } from './data/vendor-sighting.ts'
import { isOutdated } from './outdated.ts'
import { attackOf } from './references.ts'
import { entityFields } from './search-fields.ts'

const anyText = (text: string): string => text

/** Reads what names an object of a collection, for filters that go by its id. */
const idIn =
  (collection: Collection) =>
  (text: string): string | undefined => {
    const id = toId(collection, text)
    return id === undefined ? undefined : String(id)
  }

const time = (column: string) => computed('timestamptz', z.string(), `t.${column}`)

const tags = searched('a tag', anyText, (_, values) => toSql(anyLexeme(values.map(tagLexeme))))

const attacks = searched('the id or URL of an attack node', attackOf, (_, values) =>
  toSql(anyLexeme(values.map(attackLexeme))),
)

const taxonomies = searched(
  'the id, URL or path of a taxonomy',
  (text) => (text.trim() === '' ? undefined : String(toId('taxonomies', text) ?? text)),
  (_, values) => {
    const ids = values.filter((value) => parseId('integer', value) !== undefined)
    return sql`exists (
      select from entity_taxonomies as l join taxonomies as o on o.id = l.target
      where l.source = t.id
        and (o.id = any(${ids}::integer[]) or array_to_string(o.path, '/') = any(${values}::text[])))`
  },
)

const sources = searched(
  'the id or URL of a source',
  (text) => toId('sources', text) as string | undefined,
  (_, values) => sql`t.vis = any(array(
    select k.key
    from sources as s cross join lateral unnest(${keysOf(sql`s.number`)}) as k(key)
    where s.id = any(${values}::uuid[])))`,
)

const incomingFeed = searched(
  'the id or URL of an incoming feed',
  (text) => {
    const id = toId('incoming_feeds', text)
    return id === undefined ? undefined : String(id)
  },
  (_, values) => sql`t.vis = any(array(
    select k.key
    from incoming_feeds as f
    join sources as s on s.id = f.source
    cross join lateral unnest(${keysOf(sql`s.number`)}) as k(key)
    where f.id = any(${values}::integer[])))`,
)

const datasets = searched('the id or URL of a dataset', idIn('datasets'), inDatasets)

const files = searched(
  'the id or URL of a file',
  idIn('files'),
  (ctx, values) => sql`exists (
    select from file_entities as l join files as o on o.id = l.source
    where l.target = t.id and l.source = any(${values}::integer[]) and ${visible(ctx, resourceOf(ctx, 'files'), 'o')})`,
)

const discoveryRules = searched(
  'the id or URL of a discovery rule',
  idIn('discovery_rules'),
  (ctx, values) => sql`exists (
    select from discovered_entities as l join discovery_rules as o on o.id = l.source
    where l.target = t.id and l.source = any(${values}::integer[])
      and ${visible(ctx, resourceOf(ctx, 'discovery_rules'), 'o')})`,
)

const title = searched('a text', anyText, (ctx, values) => compileQuery(ctx, entityFields, titleQuery(values)))

const type = computed('text', z.string(), 't.type', currentType)

/** What people call the entity `t`: its alias, or else its title. */
export const SHOWN_TITLE = `coalesce(nullif(t.meta->>'alias', ''), t.data->>'title')`

const names = `array['${TLP.join("', '")}']`

/** What entities are filtered and sorted by that stands in a column of its own, and its other names. */
export const places: Fields = {
  type,
  'data.type': type,
  'data.id': computed('text', z.string(), 't.stix_id'),
  'data.title': title,
  sources,
  incoming_feed: incomingFeed,
  datasets,
  files,
  discovery_rules: discoveryRules,
  tags,
  'meta.tags': tags,
  taxonomies,
  'meta.taxonomies': taxonomies,
  attacks,
  'meta.attacks': attacks,
  'meta.title': computed('text', z.string(), SHOWN_TITLE),
  'meta.tlp_color': ordered(
    TLP_ORDER,
    computed(
      'text',
      z.string(),
      () => sql`(${sql.raw(names)})[${rankOf(sql`t.vis`)} + 1]`,
      (text) => (text === 'CLEAR' ? 'WHITE' : text),
    ),
  ),
  'meta.half_life': computed('integer', z.int(), 't.half_life'),
  'meta.estimated_threat_start_time': time('threat_start'),
  'meta.estimated_threat_end_time': time('threat_end'),
  'meta.estimated_observed_time': time('observed'),
  'meta.first_ingest_time': time('created_at'),
  'meta.ingest_time': time('last_updated_at'),
  'meta.is_outdated_version': computed('boolean', z.boolean(), isOutdated),
  'meta.is_unresolved_idref': computed('boolean', z.boolean(), 't.is_unresolved'),
  'meta.is_withdrawn': computed('boolean', z.boolean(), 't.is_withdrawn'),
}
