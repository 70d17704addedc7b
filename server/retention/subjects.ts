import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { purgeBlocks } from '../feeds/content-blocks/purge-blocks.ts'
import { purgeAllBlobs } from '../feeds/incoming/purge-blobs.ts'

/** The subject of a policy: a table, and the condition that a row `t` is older than a number of days. */
export interface Subject {
  readonly doc: string
  readonly table: string
  isOld(days: number): RawBuilder<SqlBool>
  /** For subjects whose rows are kept: removes the attached content, and returns the number of rows. */
  purge?(db: Kysely<unknown>, isOld: RawBuilder<SqlBool>): Promise<number>
}

const before = (days: number) => sql`now() - make_interval(days => ${days}::integer)`

const older = (column: string) => (days: number) => sql<SqlBool>`${sql.ref(`t.${column}`)} < ${before(days)}`

/** After this many half-lives, less than a hundredth of the relevancy remains. */
const SPENT_HALF_LIVES = 7

/**
 * An entity is inactive from its threat end on or, without one, once its relevancy has fallen below a hundredth.
 * Entities that were changed since, or that users placed somewhere, are in use regardless of age. Unified entities end with their contributors.
 */
const isInactive = (days: number) => sql<SqlBool>`(
  not t.is_unified and
  coalesce(t.threat_end, t.threat_start + make_interval(days => t.half_life) * ${SPENT_HALF_LIVES}::integer) < ${before(days)}
  and t.last_updated_at < ${before(days)}
  and not exists (select from dataset_entities as l where l.target = t.id)
  and not exists (select from ticket_entities as l where l.target = t.id)
  and not exists (select from workspace_entities as l where l.target = t.id))`

/**
 * A feed may set its own retention period for blocks. The newest block is kept, because clients look for the last one
 * they downloaded, and so are blocks that are still to be delivered.
 */
const isOldBlock = (days: number) => sql<SqlBool>`(
  t.purged_at is null
  and t.delivery_status <> 'PENDING'
  and t.created_at < now() - make_interval(days => coalesce(
    (select f.keep_days from outgoing_feeds as f where f.id = t.outgoing_feed), ${days}::integer))
  and exists (
    select from content_blocks as n
    where n.outgoing_feed = t.outgoing_feed and n.epoch = t.epoch and n.id > t.id))`

/** Findings and the fact that something was looked up stay. */
const isOldAnswer = (days: number) => sql<SqlBool>`(t.raw is not null and t.looked_up_at < ${before(days)})`

async function purgeAnswers(db: Kysely<unknown>, isOld: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql`
    update enrichments as t set raw = null, raw_size = null where ${isOld} returning t.id`.execute(db)
  return rows.length
}

const isOldSample = (days: number) => sql<SqlBool>`(t.sample is not null and t.finished_at < ${before(days)})`

async function purgeSamples(db: Kysely<unknown>, isOld: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql`update detonations as t set sample = null where ${isOld} returning t.id`.execute(db)
  return rows.length
}

/** Blobs that wait to be processed are kept. */
const isOldBlob = (days: number) =>
  sql<SqlBool>`(t.state not in ('PENDING', 'PURGED') and t.processed_at < ${before(days)})`

/**
 * Changes stay until every follower of the platform has handled them. Webhooks do not hold up retention, because they may be
 * suspended for long: they receive a notice that events are missing.
 */
const isOldChange = (days: number) => sql<SqlBool>`(t.at < ${before(days)} and not exists (
  select from followers as f left join changes as c on c.id = f.change
  where f.owner = 0 and (c.id is null or (c.xact, c.id) <= (t.xact, t.id))))`

const all = {
  'audit-trail': { doc: 'audit trail entries', table: 'audit_trail', isOld: older('at') },
  'history-events': { doc: 'history events', table: 'changes', isOld: isOldChange },
  'export-blocks': { doc: 'export blocks', table: 'export_blocks', isOld: older('created_at') },
  'content-blocks': {
    doc: 'contents of blocks of outgoing feeds, except the newest of each feed and those not delivered yet',
    table: 'content_blocks',
    isOld: isOldBlock,
    purge: purgeBlocks,
  },
  'incoming-blobs': {
    doc: 'content fetched by incoming feeds, once processed',
    table: 'incoming_blobs',
    isOld: isOldBlob,
    purge: purgeAllBlobs,
  },
  'enrichment-answers': {
    doc: 'answers of the services of enrichers; what they found is kept',
    table: 'enrichments',
    isOld: isOldAnswer,
    purge: purgeAnswers,
  },
  'detonation-samples': {
    doc: 'samples that were uploaded for a detonation alone, once it has ended; what its report says is kept',
    table: 'detonations',
    isOld: isOldSample,
    purge: purgeSamples,
  },
  'entity-rule-effects': {
    doc: 'the history of entity rules, without which their effects cannot be undone',
    table: 'entity_rule_effects',
    isOld: older('created_at'),
  },
  'task-runs': { doc: 'ended task runs', table: 'task_runs', isOld: older('ended_at') },
  'inactive-entities': {
    doc:
      'entities whose threat has ended or, without an end, whose relevancy is below a hundredth, that were not ' +
      'changed since, and that are in no dataset, ticket or workspace',
    table: 'entities',
    isOld: isInactive,
  },
} satisfies Record<string, Subject>

export type What = keyof typeof all

/** All subjects of policies, by name. */
export const subjects: Readonly<Record<What, Subject>> = all

export const WHATS = Object.keys(all) as [What, ...What[]]
