import { z } from 'zod'
import { latestStateOf } from '../../background/owned-tasks.ts'
import { CONSOLIDATIONS } from '../../domain/consolidation.ts'
import { schedule } from '../../domain/schedule.ts'
import { TLP_ORDER } from '../../domain/tlp.ts'
import { bool, computed, int, json, name, oneOf, ref, refs, strings, text, timestamp } from '../../engine/field.ts'
import { ordered } from '../../engine/ordered.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { contentType } from '../../exchange/exporting/payload.ts'
import { sourceReliability, tlpInput } from '../../intelligence/entities/vocabulary.ts'
import { OUTGOING_TRANSPORTS, transportType } from '../transports/transports.ts'
import { ACCESS_DETAILS } from './access-details.ts'
import { UPDATE_STRATEGIES } from './feed.ts'
import { feedRoutes } from './feed-routes.ts'
import {
  extractState,
  extractStates,
  extractTypes,
  links,
  linkTypes,
  replacements,
  spelled,
  tags,
  types,
} from './fields.ts'
import { operations } from './outgoing-feed-operations.ts'

/** The fields about the runs of a feed. */
const health = {
  status: computed('text', z.string(), `coalesce((${latestStateOf('t.update_task')}), 'PENDING')`).describe(
    'State of the latest run; PENDING if there is none.',
  ),
  packaging_status: oneOf(['SUCCESS', 'FAILURE'])
    .nullable()
    .readOnly()
    .describe(
      'How the latest packaging ended; null before the first one and after a restart. `last_error` says why it failed.',
    ),
  packaging_last_run_at: timestamp().nullable().readOnly().describe('When packaging last succeeded.'),
  last_triggered_at: timestamp().nullable().readOnly(),
  last_success_at: timestamp().nullable().readOnly(),
  failures: int().readOnly().describe('Number of consecutive failed runs.'),
  failing_since: timestamp().nullable().readOnly(),
  last_error: text().nullable().readOnly(),
  next_run_at: computed(
    'timestamptz',
    z.iso.datetime({ offset: true }).nullable(),
    'select k.next_run_at from tasks as k where k.id = t.update_task',
  ),
}

/** The filters of a feed on its datasets. */
const filters = {
  whitelist_sources: refs('sources', 'outgoing_feed_sources')
    .linkable()
    .accepts(links('sources'))
    .describe('Only intelligence of these sources; none means all.'),
  whitelist_tags: strings().accepts(tags).describe('Only entities with one of these tags; none means all.'),
  whitelist_taxonomy_nodes: refs('taxonomies', 'outgoing_feed_taxonomies')
    .linkable()
    .accepts(links('taxonomies'))
    .describe('Only entities of one of these taxonomies, or of their descendants; none means all.'),
  entity_types: strings().accepts(types).describe('Only entities of these types; none means all.'),
  extract_types: strings().accepts(extractTypes).describe('Only observables of these types; none means all.'),
  allowed_extract_states: json(z.array(extractState))
    .accepts(extractStates)
    .default([])
    .describe(
      'Only observables in one of these states: good means safe, bad with a confidence means malicious with this confidence; none means all.',
    ),
  allowed_link_types: strings()
    .accepts(linkTypes)
    .describe('Only observables that are linked to entities by one of these link types; none means all.'),
  include_without_link_type: bool()
    .default(false)
    .describe('With allowed_link_types: whether observables without a known link type are included.'),
  half_life_filter: int(0, 100).nullable().describe('Only entities with at least this relevancy, in percent.'),
  tlp_color_filter: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
    'The highest TLP colour that is sent.',
  ),
  source_reliability_filter: text()
    .accepts(sourceReliability)
    .nullable()
    .describe('Only entities whose source is at least this reliable; a source without a rating counts as F.'),
}

/** How content is changed and packaged. */
const content = {
  tlp_color_override: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
    'Replaces the TLP colour of everything that is sent.',
  ),
  consolidation: oneOf(CONSOLIDATIONS)
    .default('contributors')
    .describe(
      'What represents a unified entity: contributors in place of it, unified for it in place of its contributors, all for both.',
    ),
  include_relationships: bool().default(true),
  include_attachments: bool().default(false),
  require_valid_data: bool()
    .default(false)
    .describe('Whether a run fails if the content type cannot represent everything, instead of sending the rest.'),
  do_sign_content: bool().default(false).describe('Whether blocks are signed with the key of this installation.'),
  anonymisation: json(replacements).default([]).describe('Literal replacements in all texts, in this order.'),
  keep_days: int(1, 36_500)
    .nullable()
    .describe('Days for which blocks are kept; null leaves it to the retention policies.'),
}

export const outgoingFeeds = defineResource({
  collection: 'outgoing_feeds',
  title: 'Outgoing feed',
  doc: 'Publishes datasets in a format, by a transport, on a schedule. It reads with the permissions of its owner, the user who last changed it.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    content_type: text().accepts(contentType).required(),
    transport_type: text().accepts(transportType(OUTGOING_TRANSPORTS)).required(),
    transport_configuration: json(z.record(z.string(), z.unknown()))
      .default({})
      .describe('The settings of the transport. Secrets are never returned.'),
    transport_secrets: text().nullable().hidden(),
    transport_access_details: computed('jsonb', z.record(z.string(), z.url()), ACCESS_DETAILS)
      .path()
      .describe('The addresses of its content.'),
    update_strategy: oneOf(UPDATE_STRATEGIES)
      .default('REPLACE')
      .describe(
        'REPLACE: every block contains everything. APPEND: a block contains what is new or changed. DIFF: a table of added and removed rows.',
      ),
    datasets: refs('datasets', 'outgoing_feed_datasets')
      .linkable()
      .accepts(links('datasets'))
      .describe('The datasets to publish, as far as the owner sees them.'),
    intel_sets: refs('datasets', 'outgoing_feed_datasets')
      .accepts(links('datasets'))
      .writeOnly()
      .describe('An older name of datasets.'),
    ...filters,
    ...content,
    authorised_groups: refs('groups', 'outgoing_feed_groups')
      .accepts(links('groups'))
      .describe(
        'Groups whose members may read its content; without any, users who may see everything that can be in it.',
      ),
    execution_schedule: json(schedule).nullable().describe('When it runs automatically; null is never.'),
    is_active: bool().default(true).describe('An inactive feed does not run.'),
    ...health,
    update_task: ref('tasks').nullable().readOnly(),
    owner: ref('users')
      .nullable()
      .readOnly()
      .describe('The user with whose permissions it reads: it sends only what they may see.'),
    epoch: int().readOnly().describe('Increases with every restart.'),
    ...stamps,
  },
  search: { filters: spelled },
  operations,
  routes: (standard) => [...feedRoutes, ...standard],
  example: {
    name: 'Indicators for the SIEM',
    content_type: 'urn:eclecticiq.com:csv-extracts:1.0',
    transport_type: 'eiq.outgoing-transports.http-download',
    update_strategy: 'DIFF',
    extract_types: ['ipv4', 'domain'],
    tlp_color_filter: 'GREEN',
    execution_schedule: { cron: null, interval: 3600, time_zone: 'UTC' },
  },
})
