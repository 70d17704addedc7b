import { z } from 'zod'
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
import { INCOMING_TRANSPORTS, transportType } from '../transports.ts'
import { blobRoutes } from './blobs.ts'
import { configurationFaults } from './configured.ts'
import { contentHint } from './content-hint.ts'
import { operations } from './operations.ts'
import { purgeFeed } from './purge-feed.ts'
import { PUSH, pushToFeed } from './push.ts'
import { runFeed } from './run.ts'
import { trialRoutes } from './trials.ts'

const accessDetails = `case when t.transport_type = '${PUSH}' then jsonb_build_object(
  'push_url', '/api/v2/incoming-feeds/' || t.id || '/push',
  'taxii_collection_url', '/taxii2/root/collections/' || t.collection_id || '/') end`

const latestRun =
  'select r.state from task_runs as r where r.task = t.update_task order by r.created_at desc, r.id desc limit 1'

export const incomingFeeds = defineResource({
  collection: 'incoming_feeds',
  title: 'Incoming feed',
  doc: 'Where intelligence is collected from, how and when. What it brings belongs to a source of its own.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    content_type: text()
      .accepts(contentHint)
      .nullable()
      .describe('What it brings, as a URN, where that cannot be told from the content itself; null leaves it to that.'),
    transport_type: text().accepts(transportType(INCOMING_TRANSPORTS)).required(),
    transport_configuration: json(z.record(z.string(), z.unknown()))
      .default({})
      .describe('What its transport has to know. Secrets are answered as the pass-through token.'),
    transport_access_details: computed('jsonb', z.unknown(), accessDetails)
      .path()
      .describe(
        'Where others send to: `push_url` and `taxii_collection_url` of a feed with the push transport, else null.',
      ),
    organisation: text(0, 500).default('').describe('Who runs it.'),
    half_life: int(1, 10_000_000).nullable().describe('Days, of new entities that do not say it themselves.'),
    source_reliability: text()
      .accepts(sourceReliability)
      .nullable()
      .describe('Of what it brings that does not say it itself, from A (always) to F (cannot be judged).'),
    tlp_color_override: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
      'The colour of all that it brings, whatever colour that came with.',
    ),
    tags: strings(string(1, 500)).describe('Added to the entities that it brings.'),
    update_strategy: oneOf(['APPEND', 'REPLACE', 'DIFF'])
      .default('APPEND')
      .describe(
        'What a transfer has. APPEND: what is new or changed. REPLACE: everything, so what it does not have is withdrawn. DIFF: what came and what went.',
      ),
    withdrawn: oneOf(['keep', 'mark', 'delete'])
      .default('mark')
      .describe(
        'What happens to entities that the sender withdrew: they stay as they are, are marked, or are deleted.',
      ),
    require_valid_signature: bool()
      .default(false)
      .describe('Whether only what is signed with one of the public keys of the configuration is processed.'),
    archive_password: secret().describe('Opens the archives that it brings.'),
    csv_mapping: ref('csv_mappings').nullable().describe('How the columns of the tables are read that it brings.'),
    execution_schedule: json(schedule).nullable().describe('When it runs by itself; null is never.'),
    is_active: bool().default(true).describe('An inactive feed neither runs nor takes anything in.'),
    stale_after_hours: int(1, 87_600)
      .nullable()
      .describe('How long nothing new may come before people are told; null only looks at whether its runs go well.'),
    source: ref('sources').readOnly().describe('The source of what it brings. It is made with the feed.'),
    update_task: ref('tasks').nullable().readOnly().describe('Its task, whose runs collect and process.'),
    status: computed('text', z.string(), `coalesce((${latestRun}), 'PENDING')`).describe(
      'The state of its latest run; PENDING when there is none.',
    ),
    n_blobs_pending: computed(
      'bigint',
      z.int(),
      `select count(*) from incoming_blobs as b where b.feed = t.id and b.state = 'PENDING'`,
    ).describe('How much was fetched and waits to be processed.'),
    next_run_at: computed(
      'timestamptz',
      z.string().nullable(),
      'select k.next_run_at from tasks as k where k.id = t.update_task',
    ),
    last_triggered_at: timestamp().nullable().readOnly().describe('When its latest run began.'),
    last_success_at: timestamp().nullable().readOnly().describe('When all there was could last be fetched.'),
    last_new_at: timestamp().nullable().readOnly().describe('When it last brought something new.'),
    failures: int().readOnly().describe('How many runs have failed in a row.'),
    failing_since: timestamp().nullable().readOnly(),
    last_error: text().nullable().readOnly().describe('Why its latest run failed; null once one went well.'),
    last_error_kind: text().nullable().readOnly().describe('The same by its kind.'),
    transport_secrets: text().nullable().hidden(),
    ...stamps,
  },
  faultsIn: configurationFaults,
  operations,
  routes: [...trialRoutes, runFeed, purgeFeed, pushToFeed, ...blobRoutes],
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
