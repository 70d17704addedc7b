import assert from 'node:assert/strict'
import { type Kysely, sql } from 'kysely'
import { keyOf } from '../../server/identity/access/visibility.ts'
import type { startApp } from '../app.ts'
import { insertConsolidation } from './build-consolidation.ts'
import { insertDetonators } from './build-detonators.ts'
import { insertFiles, insertPublished } from './build-documents.ts'
import { insertEnrichers } from './build-enrichers.ts'
import { insertPlaybooks } from './build-playbooks.ts'
import { insertPossessions } from './build-possessions.ts'
import { insertRemappings } from './frameworks.ts'
import { collectionOf, contentOf, detailOf, documentsIn, runOf, taskOf } from './holding-ids.ts'
import type { Holdings } from './holdings.ts'
import { type Insert, inserter } from './inserter.ts'
import { type Instance, id, text } from './instance.ts'
import { rows } from './people.ts'
import { ALLOWED } from './world.ts'

type Corvus = Awaited<ReturnType<typeof startApp>>
type Db = Kysely<unknown>

/**
 * Writes the holdings of instances into their tables. The API is not used, because tasks create most of them, which
 * would take long, and their ids could not be told from other numbers.
 */
export async function buildHoldings(corvus: Corvus, instances: readonly Instance[], token: string): Promise<void> {
  await storeContents(corvus, instances, token)
  const { db } = corvus
  const insert = inserter(db, instances)
  await insertRuns(db, insert)
  await insertFeeds(insert)
  await setFeedKeys(db, instances)
  await insertFiles(insert)
  await insertPublished(insert)
  await insertPossessions(insert)
  await insertEnrichers(db, insert, instances)
  await insertConsolidation(db, insert, instances)
  await insertDetonators(db, insert, instances)
  await insertPlaybooks(insert)
  await insertRemappings(insert)
}

/** The contents must be in the blob store, which uploads see to. The records of these uploads are not needed. */
async function storeContents({ call, db }: Corvus, instances: readonly Instance[], token: string): Promise<void> {
  const uploads = instances.flatMap((instance) =>
    documentsIn(instance).map((name) => ({
      name: 'upload',
      process: false,
      data: Buffer.from(text(instance, contentOf(name))).toString('base64'),
    })),
  )
  const { status, body } = await call('PUT', 'files', uploads, token)
  assert.ok(status < 300, JSON.stringify(body).slice(0, 2000))
  await sql`delete from files where name = 'upload'`.execute(db)
}

/** Runs with details, and the reports of trials. */
async function insertRuns(db: Db, insert: Insert): Promise<void> {
  const { rows: tasks } = await sql<{ id: number }>`select id from tasks where type = 'housekeeping'`.execute(db)
  const task = tasks[0]?.id
  const owners: readonly (readonly [keyof Holdings, string])[] = [
    ['incomingFeeds', 'Incoming feed'],
    ['outgoingFeeds', 'Outgoing feed'],
    ['rules', 'Discovery rule'],
    ['enrichers', 'Enricher'],
    ['policies', 'Consolidation'],
  ]
  await insert('tasks', 'id integer, name text, type text, is_owned boolean, is_active boolean', (instance) =>
    owners.flatMap(([kind, title]) =>
      instance.world.holdings[kind].map(({ name }) => ({
        id: id(instance, taskOf(name)),
        name: `${title}: ${text(instance, name)}`,
        type: title.toLowerCase().replace(' ', '-'),
        is_owned: true,
        is_active: false,
      })),
    ),
  )
  const columns =
    'id uuid, task integer, parameters jsonb, state text, result jsonb, error_detail text, log text[], ended_at timestamptz, created_by integer'
  await insert('task_runs', columns, (instance) => {
    const { runs, files, incomingFeeds, outgoingFeeds, exports, rules, enrichers, policies } = instance.world.holdings
    const run = (name: string, about: string, by: string | null, of: unknown) => {
      const detail = text(instance, detailOf(about))
      return {
        id: id(instance, name),
        task: of,
        parameters: { about: detail },
        state: 'SUCCESS',
        result: { entities: { created: about.length }, about: detail },
        error_detail: detail,
        log: [detail],
        ended_at: '2026-01-01T00:00:00Z',
        created_by: by && id(instance, by),
      }
    }
    const own = ({ name }: { name: string }) => run(runOf(name), name, null, id(instance, taskOf(name)))
    return [
      ...runs.map(({ name, owner }) => run(name, name, owner, task)),
      ...files.map(({ name, starter }) => run(runOf(name), name, starter, task)),
      ...exports.map(({ name, owner }) => run(runOf(name), name, owner, task)),
      ...[...incomingFeeds, ...outgoingFeeds, ...rules, ...policies].map(own),
      ...enrichers.map(({ name, starter }) => run(runOf(name), name, starter, id(instance, taskOf(name)))),
    ]
  })
  await insert('feed_reports', 'run uuid, owner integer, report jsonb', (instance) =>
    instance.world.holdings.runs.map(({ name, owner }) => ({
      run: id(instance, name),
      owner: id(instance, owner),
      report: { about: text(instance, detailOf(name)) },
    })),
  )
}

async function insertFeeds(insert: Insert): Promise<void> {
  const incoming =
    'id integer, name text, transport_type text, source uuid, update_task integer, collection_id uuid, created_by integer, is_active boolean'
  await insert('incoming_feeds', incoming, (instance) =>
    instance.world.holdings.incomingFeeds.map(({ name, source }) => ({
      id: id(instance, name),
      name: text(instance, name),
      transport_type: 'eiq.incoming-transports.push',
      source: id(instance, source),
      update_task: id(instance, taskOf(name)),
      collection_id: id(instance, collectionOf(name)),
      created_by: id(instance, 'writer'),
      is_active: true,
    })),
  )
  const outgoing =
    'id integer, name text, content_type text, transport_type text, owner integer, keys integer[], update_task integer, epoch integer, collection_id uuid, tlp_color_filter text'
  await insert('outgoing_feeds', outgoing, (instance) =>
    instance.world.holdings.outgoingFeeds.map((feed) => ({
      id: id(instance, feed.name),
      name: text(instance, feed.name),
      content_type: 'urn:oasis:stix:json:2.1',
      transport_type: `eiq.outgoing-transports.${feed.isTaxii ? 'taxii2' : 'http-download'}`,
      owner: id(instance, feed.owner),
      keys: [],
      update_task: id(instance, taskOf(feed.name)),
      epoch: 1,
      collection_id: id(instance, collectionOf(feed.name)),
      tlp_color_filter: feed.upTo,
    })),
  )
  const links = async (table: string, of: (feed: Holdings['outgoingFeeds'][number]) => readonly string[]) =>
    insert(table, 'source integer, target integer', (instance) =>
      instance.world.holdings.outgoingFeeds.flatMap((feed) =>
        of(feed).map((name) => ({ source: id(instance, feed.name), target: id(instance, name) })),
      ),
    )
  await links('outgoing_feed_groups', ({ groups }) => groups)
  await links('outgoing_feed_datasets', ({ datasets }) => datasets)
}

/** Sets the possible content of feeds, by the numbers of its sources. */
async function setFeedKeys(db: Db, instances: readonly Instance[]): Promise<void> {
  const all = instances.flatMap((instance) =>
    instance.world.holdings.outgoingFeeds.flatMap((feed) =>
      feed.sources.map((source) => ({
        feed: id(instance, feed.name),
        source: id(instance, source),
        rank: ALLOWED.indexOf(feed.upTo),
      })),
    ),
  )
  await sql`
    update outgoing_feeds as f set keys = k.keys
    from (
      select i.feed, array_agg(${keyOf(sql`s.number`, sql`r.rank`)}) as keys
      from ${rows(all, 'feed integer, source uuid, rank integer')} join sources as s on s.id = i.source
      cross join lateral generate_series(0, i.rank) as r(rank)
      group by i.feed
    ) as k
    where k.feed = f.id`.execute(db)
}
