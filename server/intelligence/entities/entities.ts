import { sql } from 'kysely'
import { z } from 'zod'
import { document } from '../../engine/document.ts'
import { computed, found, json, refs, strings, timestamp } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { defineResource } from '../../engine/resource.ts'
import { withNamedParts } from '../../engine/schema-names.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { seek } from '../../search/sql/compile.ts'
import { attackRoutes } from './attack-routes.ts'
import { entityData, readEntityData } from './entity-data.ts'
import { operations } from './entity-operations.ts'
import { filters } from './filters.ts'
import { entityMeta, metaMembers, readEntityMeta } from './meta.ts'
import { namedSchemas } from './named-schemas.ts'
import { observablesIn, readObservables } from './observables-in.ts'
import { relevancyOf } from './relevancy.ts'
import { entityFields } from './search-fields.ts'
import { prepareSearch } from './search-preparation.ts'
import { byConsolidation } from './unified.ts'
import { versionRoutes } from './versions.ts'

export const entities = defineResource({
  collection: 'entities',
  title: 'Entity',
  doc: 'A piece of intelligence: who attacks, with what, against whom, and what can be done.',
  key: ['data.id'],
  fields: {
    data: json(withNamedParts(entityData, namedSchemas)).readBy(readEntityData).required().sentAsStored(),
    meta: document(entityMeta, metaMembers).readBy(readEntityMeta).default({}),
    attachments: refs('attachments', 'entity_attachments', { isSeenWithOwner: true }).linkable(),
    datasets: refs('datasets', 'dataset_entities', { inverse: true }).linkable(),
    observables: refs('observables', 'entity_observables', { isSeenWithOwner: true })
      .accepts(observablesIn)
      .readBy(readObservables)
      .linkable(),
    sources: refs('sources', 'entity_sources', {
      isSeenWithOwner: true,
      shown: () =>
        sql`(select json_build_array(s.id) from numbered_sources as s where s.number = ${sourceOf(sql`t.vis`)})`,
    }).accepts(z.array(link('sources')).length(1)),
    incoming_feed: found(
      'incoming_feeds',
      () =>
        sql`select f.id from incoming_feeds as f join sources as s on s.id = f.source where s.number = ${sourceOf(sql`t.vis`)}`,
    ).describe('The incoming feed that it came from.'),
    outgoing_feeds: refs('outgoing_feeds', 'outgoing_feed_entities', { inverse: true, isSeenWithOwner: true })
      .readOnly()
      .describe('The outgoing feeds that published it in their last run.'),
    relevancy: computed('double precision', z.number().min(0).max(1).nullable(), relevancyOf).describe(
      'From 1 when the threat began, halved with every half-life since.',
    ),
    created_at: timestamp().stamped('created-at'),
    created_by: found('users', 'select u.id from users as u where u.id = t.created_by'),
    last_updated_at: timestamp().stamped('updated-at'),
    // Shown in the meta. As hidden fields they can also be filtered by these short names, and taxonomies have a relation path.
    tags: strings().hidden(),
    attacks: strings().hidden(),
    taxonomies: refs('taxonomies', 'entity_taxonomies').hidden().linkable(),
  },
  visible: (ctx, t) => holdsKey(ctx, sql.ref(`${t}.vis`)),
  search: { filters, query: (ctx, query) => seek(ctx, entityFields, query), reduction: byConsolidation },
  operations: { ...operations, prepare: prepareSearch },
  routes: (standard) => [...attackRoutes, ...versionRoutes, ...standard],
  example: {
    data: {
      id: '{https://corvus.example/}indicator-4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11',
      type: 'indicator',
      title: 'Command server of a banking trojan',
      description: 'Seen in emails to three banks.',
      confidence: 'high',
    },
    meta: { tags: ['banking'], tlp_color: 'AMBER', half_life: 30 },
    observables: [{ type: 'domain', value: 'login.bank.example' }],
  },
})
