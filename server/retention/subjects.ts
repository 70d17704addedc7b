import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { purgeBlocks } from '../feeds/content-blocks/purge.ts'
import { purgeAllBlobs } from '../feeds/incoming/purge-blobs.ts'

/** Something that a policy can be about: a table, and which of its rows `t` are older than a number of days. */
export interface Subject {
  readonly doc: string
  readonly table: string
  isOld(days: number): RawBuilder<SqlBool>
  /** Where old rows stay, and only let go of what hangs on them: does that, and gives how many they were. */
  purge?(db: Kysely<unknown>, isOld: RawBuilder<SqlBool>): Promise<number>
}

const before = (days: number) => sql`now() - make_interval(days => ${days}::integer)`

const older = (column: string) => (days: number) => sql<SqlBool>`${sql.ref(`t.${column}`)} < ${before(days)}`

/** After so many half-lives less than a hundredth of the relevancy is left. */
const SPENT_HALF_LIVES = 7

/**
 * An entity is inactive from its threat end on or, where it has none, from when its relevancy has fallen below a hundredth.
 * What is written onto, or was put somewhere by somebody, is in use, however old its threat may be.
 */
const isInactive = (days: number) => sql<SqlBool>`(
  coalesce(t.threat_end, t.threat_start + make_interval(days => t.half_life) * ${SPENT_HALF_LIVES}::integer) < ${before(days)}
  and t.last_updated_at < ${before(days)}
  and not exists (select from dataset_entities as l where l.target = t.id)
  and not exists (select from ticket_entities as l where l.target = t.id)
  and not exists (select from workspace_entities as l where l.target = t.id))`

/**
 * A feed may say itself how long its blocks are kept. The newest stays, because clients look for the one that they took last; one
 * that is still to be delivered does as well.
 */
const isOldBlock = (days: number) => sql<SqlBool>`(
  t.purged_at is null
  and t.delivery_status <> 'PENDING'
  and t.created_at < now() - make_interval(days => coalesce(
    (select f.keep_days from outgoing_feeds as f where f.id = t.outgoing_feed), ${days}::integer))
  and exists (
    select from content_blocks as n
    where n.outgoing_feed = t.outgoing_feed and n.epoch = t.epoch and n.id > t.id))`

/** What waits to be processed is not done with. */
const isOldBlob = (days: number) =>
  sql<SqlBool>`(t.state not in ('PENDING', 'PURGED') and t.processed_at < ${before(days)})`

/**
 * Changes stay until every follower of the platform has handled them. Webhooks do not hold up retention, because they may be
 * suspended for long: they are told that events are missing.
 */
const isOldChange = (days: number) => sql<SqlBool>`(t.at < ${before(days)} and not exists (
  select from followers as f left join changes as c on c.id = f.change
  where f.owner = 0 and (c.id is null or (c.xact, c.id) <= (t.xact, t.id))))`

const all = {
  'audit-trail': { doc: 'entries of the audit trail', table: 'audit_trail', isOld: older('at') },
  'history-events': { doc: 'events of the history', table: 'changes', isOld: isOldChange },
  'export-blocks': { doc: 'export blocks', table: 'export_blocks', isOld: older('created_at') },
  'content-blocks': {
    doc: 'contents of blocks that outgoing feeds made, but for the newest of each feed and those that are not delivered yet',
    table: 'content_blocks',
    isOld: isOldBlock,
    purge: purgeBlocks,
  },
  'incoming-blobs': {
    doc: 'the content of what incoming feeds fetched, once it is processed',
    table: 'incoming_blobs',
    isOld: isOldBlob,
    purge: purgeAllBlobs,
  },
  'task-runs': { doc: 'task runs that have ended', table: 'task_runs', isOld: older('ended_at') },
  'inactive-entities': {
    doc:
      'entities whose threat has ended or, where it has no end, whose relevancy is below a hundredth, that nobody has ' +
      'written onto since, and that are in no dataset, ticket or workspace',
    table: 'entities',
    isOld: isInactive,
  },
} satisfies Record<string, Subject>

export type What = keyof typeof all

/** Everything that a policy can be about, by its name. */
export const subjects: Readonly<Record<What, Subject>> = all

export const WHATS = Object.keys(all) as [What, ...What[]]
