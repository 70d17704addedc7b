import { z } from 'zod'
import { latestStateOf } from '../../background/owned-tasks.ts'
import { schedule } from '../../domain/schedule.ts'
import { TLP_ORDER } from '../../domain/tlp.ts'
import {
  bool,
  computed,
  int,
  json,
  name,
  oneOf,
  ref,
  secret,
  string,
  strings,
  text,
  timestamp,
} from '../../engine/field.ts'
import { ordered } from '../../engine/ordered.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { sourceReliability, tlpInput } from '../../intelligence/entities/vocabulary.ts'
import { INCOMING_TRANSPORTS, transportType } from '../transports/transports.ts'
import { blobRoutes } from './blobs.ts'
import { configurationErrors } from './check-transport.ts'
import { contentHint } from './content-hint.ts'
import { operations } from './incoming-feed-operations.ts'
import { purgeFeed } from './purge-feed.ts'
import { PUSH, pushToFeed } from './push.ts'
import { runFeed } from './run-route.ts'
import { trialRoutes } from './trials/trial-routes.ts'

const accessDetails = `case when t.transport_type = '${PUSH}' then jsonb_build_object(
  'push_url', '/api/v2/incoming-feeds/' || t.id || '/push',
  'taxii_collection_url', '/taxii2/root/collections/' || t.collection_id || '/') end`

export const incomingFeeds = defineResource({
  collection: 'incoming_feeds',
  title: 'Incoming feed',
  doc: 'Collects intelligence by a transport, on a schedule. What it imports belongs to its own source.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    content_type: text()
      .accepts(contentHint)
      .nullable()
      .describe('The content type, as a URN, if it cannot be recognised from the content; null detects it.'),
    transport_type: text().accepts(transportType(INCOMING_TRANSPORTS)).required(),
    transport_configuration: json(z.record(z.string(), z.unknown()))
      .default({})
      .checkedBy(configurationErrors)
      .describe('The settings of the transport. Secrets are returned as the pass-through token.'),
    transport_access_details: computed('jsonb', z.unknown(), accessDetails)
      .path()
      .describe(
        'The addresses that accept content, `push_url` and `taxii_collection_url`; null unless the transport is push.',
      ),
    organisation: text(0, 500).default('').describe('The organisation that provides the feed.'),
    half_life: int(1, 10_000_000).nullable().describe('Half-life in days of new entities that do not state one.'),
    source_reliability: text()
      .accepts(sourceReliability)
      .nullable()
      .describe('For content that does not state one, from A (always reliable) to F (cannot be judged).'),
    tlp_color_override: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
      'Replaces the TLP colour of everything that it imports.',
    ),
    tags: strings(string(1, 500)).describe('Added to imported entities.'),
    update_strategy: oneOf(['APPEND', 'REPLACE', 'DIFF'])
      .default('APPEND')
      .describe(
        'What a transfer contains. APPEND: new and changed content. REPLACE: everything, so that content that is missing from it is withdrawn. DIFF: additions and removals.',
      ),
    withdrawn: oneOf(['keep', 'mark', 'delete'])
      .default('mark')
      .describe('What happens to entities that the sender withdrew: they are kept, marked, or deleted.'),
    require_valid_signature: bool()
      .default(false)
      .describe('Whether only content that is signed with one of the configured public keys is processed.'),
    archive_password: secret().describe('The password of encrypted archives.'),
    csv_mapping: ref('csv_mappings').nullable().describe('How the columns of tables are read.'),
    execution_schedule: json(schedule).nullable().describe('When it runs automatically; null is never.'),
    is_active: bool().default(true).describe('An inactive feed neither runs nor accepts content.'),
    stale_after_hours: int(1, 87_600)
      .nullable()
      .describe('Hours without new content after which users are notified; null only checks whether its runs succeed.'),
    source: ref('sources').readOnly().describe('The source of imported content, created with the feed.'),
    update_task: ref('tasks').nullable().readOnly().describe('Its task, whose runs fetch and process content.'),
    status: computed('text', z.string(), `coalesce((${latestStateOf('t.update_task')}), 'PENDING')`).describe(
      'State of the latest run; PENDING if there is none.',
    ),
    n_blobs_pending: computed(
      'bigint',
      z.int(),
      `select count(*) from incoming_blobs as b where b.feed = t.id and b.state = 'PENDING'`,
    ).describe('Number of blobs that wait to be processed.'),
    next_run_at: computed(
      'timestamptz',
      z.string().nullable(),
      'select k.next_run_at from tasks as k where k.id = t.update_task',
    ),
    last_triggered_at: timestamp().nullable().readOnly().describe('When the latest run started.'),
    last_success_at: timestamp().nullable().readOnly().describe('When a run last fetched everything available.'),
    last_new_at: timestamp().nullable().readOnly().describe('When it last received something new.'),
    failures: int().readOnly().describe('Number of consecutive failed runs.'),
    failing_since: timestamp().nullable().readOnly(),
    last_error: text().nullable().readOnly().describe('Why the latest run failed; null after a successful run.'),
    last_error_kind: text().nullable().readOnly().describe('The kind of error of the latest run.'),
    transport_secrets: text().nullable().hidden(),
    ...stamps,
  },
  operations,
  routes: (standard) => [...trialRoutes, runFeed, purgeFeed, pushToFeed, ...blobRoutes, ...standard],
  example: {
    name: 'Botnet servers',
    transport_type: 'eiq.incoming-transports.http-download',
    transport_configuration: { url: 'https://feeds.example/botnets.json', username: 'us' },
    execution_schedule: { cron: null, interval: 3600, time_zone: 'UTC' },
    source_reliability: 'B',
    tags: ['botnet'],
    is_active: false,
  },
})
