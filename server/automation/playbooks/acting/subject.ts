import { sql } from 'kysely'
import { textFrom } from '../../../domain/text-from.ts'
import { TLP, type Tlp, tlpOf } from '../../../domain/tlp.ts'
import type { Context } from '../../../engine/context.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { rankOf } from '../../../identity/access/visibility.ts'
import { isVisibleOne, lowestRank, maliciousness } from '../../../intelligence/observables/sight.ts'
import type { StepContext, StepResult, Subject } from '../step.ts'

/** The outcome of a step whose object its owner does not see, or may not change. */
export const OUT_OF_SCOPE = 'out_of_scope'

export const outOfScope = (why: string, warnings: readonly string[] = []): StepResult => ({
  outcome: OUT_OF_SCOPE,
  output: { reason: why },
  ...(warnings.length > 0 && { warnings }),
})

export const UNSEEN = 'The owner of the playbook does not see the object.'

/** What steps need to know of an object. */
export interface Seen {
  /** The type of an entity or of an observable, or the format of a file. */
  readonly type: string
  readonly title: string
  /** The least restrictive colour at which the owner of the playbook sees it. */
  readonly tlp: Tlp
  /** Whether it is an entity that no user can change: a unified one, or one that is only referred to. */
  readonly isFixed: boolean
}

interface Row extends Omit<Seen, 'tlp'> {
  readonly rank: number | null
  readonly colour: string | null
}

/** The object of a run; undefined if the owner of the playbook does not see it. */
export async function readSubject({ ctx, subject }: Pick<StepContext, 'ctx' | 'subject'>): Promise<Seen | undefined> {
  const { rows } = await ROWS[subject.collection](ctx, subject.id).execute(ctx.db)
  const [row] = rows
  if (!row) return undefined
  const { type, title, isFixed, rank, colour } = row
  return { type, title: textFrom(title), isFixed, tlp: rank === null ? tlpOf(colour, 'RED') : (TLP[rank] ?? 'RED') }
}

const ROWS = {
  entities: (ctx: Context, id: string) => sql<Row>`
    select t.data ->> 'type' as type, coalesce(t.data ->> 'title', '') as title, t.is_unified or t.is_unresolved as "isFixed",
      ${rankOf(sql`t.vis`)} as rank, null as colour
    from entities as t
    where t.id = ${id}::uuid and ${visible(ctx, resourceOf(ctx, 'entities'))}`,
  observables: (ctx: Context, id: string) => sql<Row>`
    select t.type, t.value as title, false as "isFixed", ${lowestRank(ctx, 't')} as rank, null as colour
    from observables as t
    where t.id = ${id}::integer and ${isVisibleOne(ctx, 't')}`,
  files: (ctx: Context, id: string) => sql<Row>`
    select coalesce(t.format, '') as type, t.name as title, false as "isFixed", null::integer as rank, t.tlp_color as colour
    from files as t
    where t.id = ${id}::integer and ${visible(ctx, resourceOf(ctx, 'files'))}`,
}

/** An observable of an object, as the owner of the playbook sees it. */
export interface SeenObservable {
  readonly id: number
  readonly type: string
  readonly maliciousness: string
}

/** An entity may have a hundred thousand observables: a step works on the first ones only, and says so. */
export const MAX_OBSERVABLES = 1000

/** The observable itself, those of the entity, or the hashes of the content of the file, in the order of their ids. */
export async function observablesOf(
  ctx: Context,
  { collection, id }: Subject,
): Promise<{ readonly observables: readonly SeenObservable[]; readonly warnings: readonly string[] }> {
  const isMeant = {
    entities: sql`t.id in (select l.target from entity_observables as l where l.source = ${id})`,
    observables: sql`t.id = ${id}`,
    files: sql`(t.type, t.value) in (
      select h.type, h.value
      from files as f join stored_blobs as b on b.key = f.sha256
      cross join lateral (values ('hash-md5', b.md5), ('hash-sha1', b.sha1), ('hash-sha256', b.key)) as h(type, value)
      where f.id = ${id})`,
  }[collection]
  const { rows } = await sql<SeenObservable>`
    select t.id, t.type, ${maliciousness(ctx, 't')} as maliciousness
    from observables as t
    where ${isMeant} and ${isVisibleOne(ctx, 't')}
    order by t.id
    limit ${MAX_OBSERVABLES + 1}`.execute(ctx.db)
  const isTooMany = rows.length > MAX_OBSERVABLES
  return {
    observables: rows.slice(0, MAX_OBSERVABLES),
    warnings: isTooMany ? [`Only the first ${MAX_OBSERVABLES} observables were considered.`] : [],
  }
}
