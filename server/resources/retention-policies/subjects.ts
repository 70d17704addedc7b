import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Something that a policy can be about: a table, and which of its rows `t` are older than a number of days. */
export interface Subject {
  readonly doc: string
  readonly table: string
  isOld(days: number): RawBuilder<SqlBool>
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

const all = {
  'audit-trail': { doc: 'entries of the audit trail', table: 'audit_trail', isOld: older('at') },
  'history-events': { doc: 'events of the history', table: 'changes', isOld: older('at') },
  'export-blocks': { doc: 'export blocks', table: 'export_blocks', isOld: older('created_at') },
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
