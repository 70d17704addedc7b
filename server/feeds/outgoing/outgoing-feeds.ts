import { z } from 'zod'
import { schedule } from '../../domain/schedule.ts'
import { TLP_ORDER } from '../../domain/tlp.ts'
import { bool, computed, int, json, name, oneOf, ref, refs, strings, text, timestamp } from '../../engine/field.ts'
import { ordered } from '../../engine/ordered.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { contentType } from '../../exchange/exporting/payload.ts'
import { sourceReliability, tlpInput } from '../../intelligence/entities/vocabulary.ts'
import { OUTGOING_TRANSPORTS, transportType } from '../transports.ts'
import { ACCESS_DETAILS } from './access-details.ts'
import { UPDATE_STRATEGIES } from './feed.ts'
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
import { operations } from './operations.ts'
import { feedRoutes } from './routes.ts'

const LATEST_STATE = `
  select r.state from task_runs as r where r.task = t.update_task order by r.created_at desc, r.id desc limit 1`

/** What a feed says of its runs. */
const health = {
  status: computed('text', z.string(), `coalesce((${LATEST_STATE}), 'PENDING')`).describe(
    'The state of its latest run; PENDING when there is none.',
  ),
  packaging_status: text()
    .nullable()
    .readOnly()
    .describe('How the latest packaging ended: SUCCESS, or why it has none.'),
  packaging_last_run_at: timestamp().nullable().readOnly(),
  last_triggered_at: timestamp().nullable().readOnly(),
  last_success_at: timestamp().nullable().readOnly(),
  failures: int().readOnly().describe('How many runs have failed since the last one that did not.'),
  failing_since: timestamp().nullable().readOnly(),
  last_error: text().nullable().readOnly(),
  next_run_at: computed(
    'timestamptz',
    z.iso.datetime({ offset: true }).nullable(),
    'select k.next_run_at from tasks as k where k.id = t.update_task',
  ),
}

/** What of its datasets a feed lets pass. */
const filters = {
  whitelist_sources: refs('sources', 'outgoing_feed_sources')
    .accepts(links('sources'))
    .describe('Only intelligence of these sources; none means all.'),
  whitelist_tags: strings().accepts(tags).describe('Only entities with one of these tags; none means all.'),
  whitelist_taxonomy_nodes: refs('taxonomies', 'outgoing_feed_taxonomies')
    .accepts(links('taxonomies'))
    .describe('Only entities of one of these taxonomies, or of one below them; none means all.'),
  entity_types: strings().accepts(types).describe('Only entities of these types; none means all.'),
  extract_types: strings().accepts(extractTypes).describe('Only observables of these types; none means all.'),
  allowed_extract_states: json(z.array(extractState))
    .accepts(extractStates)
    .default([])
    .describe(
      'Only observables in one of these states: good is safe, bad with a confidence is as malicious; none means all.',
    ),
  allowed_link_types: strings()
    .accepts(linkTypes)
    .describe('Only observables that entities have to do with in one of these ways; none means all.'),
  include_without_link_type: bool()
    .default(false)
    .describe('Beside allowed_link_types: whether observables go out whose way is not known.'),
  half_life_filter: int(0, 100).nullable().describe('Only entities whose relevancy is at least so many percent.'),
  tlp_color_filter: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
    'The highest colour that goes out.',
  ),
  source_reliability_filter: text()
    .accepts(sourceReliability)
    .nullable()
    .describe('Only entities whose source is at least so reliable; one that nobody judged counts as F.'),
}

/** What becomes of what goes out. */
const content = {
  tlp_color_override: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
    'The colour that everything is given on its way.',
  ),
  include_relationships: bool().default(true),
  include_attachments: bool().default(false),
  require_valid_data: bool()
    .default(false)
    .describe('Whether a run fails whose content type has no place for all of it, instead of sending the rest.'),
  do_sign_content: bool().default(false).describe('Whether blocks are signed with the key of the installation.'),
  anonymisation: json(replacements).default([]).describe('Literal replacements in all texts, in this order.'),
  keep_days: int(1, 36_500).nullable().describe('How long blocks are kept; null leaves it to the retention policies.'),
}

export const outgoingFeeds = defineResource({
  collection: 'outgoing_feeds',
  title: 'Outgoing feed',
  doc: 'What is published of datasets, in which form, how and when. It reads for its owner, who last changed it.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    content_type: text().accepts(contentType).required(),
    transport_type: text().accepts(transportType(OUTGOING_TRANSPORTS)).required(),
    transport_configuration: json(z.record(z.string(), z.unknown()))
      .default({})
      .describe('What the transport has to know; secrets are never shown.'),
    transport_secrets: text().nullable().hidden(),
    transport_access_details: computed('jsonb', z.record(z.string(), z.url()), ACCESS_DETAILS)
      .path()
      .describe('Where its content is.'),
    update_strategy: oneOf(UPDATE_STRATEGIES)
      .default('REPLACE')
      .describe(
        'REPLACE: every block has everything. APPEND: a block has what is new or changed. DIFF: a table of rows that came and went.',
      ),
    datasets: refs('datasets', 'outgoing_feed_datasets')
      .accepts(links('datasets'))
      .describe('What is published, as far as its owner sees it.'),
    intel_sets: refs('datasets', 'outgoing_feed_datasets')
      .accepts(links('datasets'))
      .writeOnly()
      .describe('An older name of datasets.'),
    ...filters,
    ...content,
    authorised_groups: refs('groups', 'outgoing_feed_groups')
      .accepts(links('groups'))
      .describe('Whose members may read its content; without any, whoever may see all that can be in it.'),
    execution_schedule: json(schedule).nullable().describe('When it runs by itself; null is never.'),
    is_active: bool().default(true).describe('An inactive feed does not run.'),
    ...health,
    update_task: ref('tasks').nullable().readOnly(),
    owner: ref('users').nullable().readOnly().describe('For whom it reads: what they may see is what can go out.'),
    epoch: int().readOnly().describe('Counts how often it began anew.'),
    ...stamps,
  },
  places: spelled,
  relations: ['datasets', 'whitelist_sources', 'whitelist_taxonomy_nodes'],
  operations,
  routes: feedRoutes,
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
