import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { integerList, textList } from '../../fast/binary-arrays.ts'
import type { Finding } from '../../formats/finding.ts'

/** A finding and its position in the file. */
export interface Located<F extends Finding = Finding> {
  readonly position: number
  readonly finding: F
}

/** What happened to one object of a document. */
export interface Outcome {
  readonly position: number
  readonly place: string
  readonly kind: 'entity' | 'relationship' | 'observable' | 'part'
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'outdated' | 'refused' | 'lost'
  readonly stixId?: string | undefined
  readonly entity?: string | undefined
  readonly relationship?: string | undefined
  /** What was lost, or why it was refused. */
  readonly details: readonly string[]
  /** Further information for readers. */
  readonly notes?: readonly string[] | undefined
  /** How many observables of an entity were new to the importer. */
  readonly observablesCreated?: number | undefined
}

const MAX_DETAIL_LENGTH = 2000
const MAX_DETAILS = 100

/** Records the outcomes of a file, in the transaction that stores its objects. */
export async function noteOutcomes(
  { db }: Context,
  { file, run }: { readonly file: number; readonly run: string },
  outcomes: readonly Outcome[],
): Promise<void> {
  if (outcomes.length === 0) return
  const list = <T>(pick: (outcome: Outcome) => T): T[] => outcomes.map(pick)
  await sql`
    insert into file_outcomes (owner, run, position, place, kind, outcome, stix_id, entity, relationship, details, notes,
      observables_created)
    select ${file}, ${run}::uuid, i.position, i.place, i.kind, i.outcome, i.stix_id, i.entity, i.relationship,
      array(select jsonb_array_elements_text(i.details::jsonb)),
      array(select jsonb_array_elements_text(i.notes::jsonb)), i.observables_created
    from unnest(
      ${integerList(list(({ position }) => position))}::integer[],
      ${textList(list(({ place }) => storable(place)))}::text[],
      ${textList(list(({ kind }) => kind))}::text[],
      ${textList(list(({ outcome }) => outcome))}::text[],
      ${textList(list(({ stixId }) => (stixId === undefined ? null : storable(stixId))))}::text[],
      ${list(({ entity = null }) => entity)}::uuid[],
      ${list(({ relationship = null }) => relationship)}::uuid[],
      ${textList(list(({ details }) => JSON.stringify(bounded(details).map(storable))))}::text[],
      ${textList(list(({ notes = [] }) => JSON.stringify(bounded(notes).map(storable))))}::text[],
      ${integerList(list(({ observablesCreated = 0 }) => observablesCreated))}::integer[]
    ) as i(position, place, kind, outcome, stix_id, entity, relationship, details, notes, observables_created)`.execute(
    db,
  )
}

/** Text from documents in a form that the database can store. */
const storable = (text: string): string => text.slice(0, MAX_DETAIL_LENGTH).toWellFormed().replaceAll('\0', '\uFFFD')

const bounded = (details: readonly string[]): string[] =>
  details.length <= MAX_DETAILS
    ? [...details]
    : [...details.slice(0, MAX_DETAILS), `… and ${details.length - MAX_DETAILS} more.`]

/** The number of objects by kind and outcome. */
export type Tally = Record<string, Record<string, number>>

/** Counts the outcomes of a file, including the new observables of its entities. */
export async function tallyOf({ db }: Pick<Context, 'db'>, file: number, run: string): Promise<Tally> {
  const { rows } = await sql<{ kind: string; outcomes: Record<string, number> }>`
    select g.kind, jsonb_object_agg(g.outcome, g.count) as outcomes
    from (
      select c.kind, c.outcome, sum(c.count)::bigint as count
      from (
        select kind, outcome, count(*) from file_outcomes
        where owner = ${file} and run = ${run}::uuid
        group by kind, outcome
        union all
        select 'observable', 'created', sum(observables_created) from file_outcomes
        where owner = ${file} and run = ${run}::uuid and observables_created > 0
      ) as c
      where c.count > 0
      group by c.kind, c.outcome
    ) as g
    group by g.kind
    order by g.kind`.execute(db)
  return Object.fromEntries(rows.map(({ kind, outcomes }) => [PLURALS[kind] ?? kind, outcomes]))
}

/** The plural of each kind. */
export const PLURALS: Readonly<Record<string, string>> = {
  entity: 'entities',
  relationship: 'relationships',
  observable: 'observables',
  part: 'parts',
}

/** Deletes the outcomes of earlier runs, and gives the position at which this run was interrupted. */
export async function resumeAt({ db }: Pick<Context, 'db'>, file: number, run: string): Promise<number> {
  await sql`delete from file_outcomes where owner = ${file} and run <> ${run}::uuid`.execute(db)
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(position) + 1, 0) as next from file_outcomes where owner = ${file}`.execute(db)
  return rows[0]?.next ?? 0
}
