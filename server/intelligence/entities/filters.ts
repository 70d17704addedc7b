import { sql } from 'kysely'
import { z } from 'zod'
import type { Collection } from '../../collections.ts'
import type { Fields } from '../../engine/definition.ts'
import { computed, searched } from '../../engine/field.ts'
import { Field } from '../../engine/field-class.ts'
import { toId } from '../../engine/reference.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { keysOf } from '../../identity/access/visibility.ts'
import { compileQuery } from '../../search/sql/compile.ts'
import { titleQuery } from '../../search/sql/title-filter.ts'
import { inDatasets } from '../datasets/dataset-condition.ts'
import { currentType } from './data/vendor-sighting.ts'
import { metaMembers } from './meta.ts'
import { entityFields } from './search-fields.ts'

const filterBy = ({ props }: Field): Field =>
  new Field({ ...props, storage: props.filter ?? props.storage, isNullable: true })

const anyText = (text: string): string => text

/** Reads the id or URL of an object of a collection in a filter. */
const idIn =
  (collection: Collection) =>
  (text: string): string | undefined => {
    const id = toId(collection, text)
    return id === undefined ? undefined : String(id)
  }

const sources = searched(
  'the id or URL of a source',
  (text) => toId('sources', text) as string | undefined,
  (_, values) => sql`t.vis = any(array(
    select k.key
    from numbered_sources as s cross join lateral unnest(${keysOf(sql`s.number`)}) as k(key)
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

/** The names, other than fields, that entities are filtered and sorted by. */
export const filters: Fields = {
  type,
  'data.type': type,
  'data.id': computed('text', z.string(), 't.stix_id'),
  'data.title': title,
  sources,
  incoming_feed: incomingFeed,
  datasets,
  files,
  discovery_rules: discoveryRules,
  // Short names of members of the meta.
  tags: filterBy(metaMembers.tags),
  taxonomies: filterBy(metaMembers.taxonomies),
  attacks: filterBy(metaMembers.attacks),
}
