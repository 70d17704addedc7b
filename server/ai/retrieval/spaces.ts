import { type Kysely, sql } from 'kysely'
import { tlpRank } from '../../domain/tlp.ts'
import type { Ready } from '../asking/ready.ts'
import { lockPassages } from './refresh-passages.ts'

/** The vectors of one embedding model. */
export interface Space {
  readonly id: number
  readonly url: string
  readonly model: string
  /** Null until the first vector is known. */
  readonly width: number | null
  /** Whether it is searched; otherwise it is still being made. */
  readonly is_current: boolean
  readonly reached: number
  readonly ceiling: number
}

/** The space of the selected model. A new one stands next to the one in use until it is complete. */
export const spaceFor = (db: Kysely<unknown>, { endpoint, model, ceiling }: Ready): Promise<Space> =>
  db.transaction().execute(async (trx) => {
    await lockPassages(trx)
    const { url } = endpoint
    await sql`delete from passage_spaces where not is_current and (url, model) <> (${url}, ${model})`.execute(trx)
    // What was too restricted before has to be embedded now.
    await sql`
      update passage_spaces
      set ceiling = ${tlpRank(ceiling)}, reached = case when ceiling < ${tlpRank(ceiling)} then 0 else reached end
      where (url, model) = (${url}, ${model}) and ceiling <> ${tlpRank(ceiling)}`.execute(trx)
    const { rows: known } = await sql<Space>`
      select * from passage_spaces where (url, model) = (${url}, ${model})`.execute(trx)
    if (known[0]) return known[0]
    const { rows } = await sql<Space>`
      insert into passage_spaces (url, model, ceiling) values (${url}, ${model}, ${tlpRank(ceiling)}) returning *`.execute(
      trx,
    )
    if (!rows[0]) throw new TypeError('A space was not stored.')
    return rows[0]
  })

/** The space that is searched, if the provider still has its model. */
export async function currentSpace(db: Kysely<unknown>, { endpoint }: Ready): Promise<Space | undefined> {
  const { rows } = await sql<Space>`
    select * from passage_spaces where is_current and url = ${endpoint.url} and width is not null`.execute(db)
  return rows[0]
}

/** Whether the space of the selected model is searched and has the vectors of all passages. */
export async function isUpToDate(db: Kysely<unknown>, { endpoint, model, ceiling }: Ready): Promise<boolean> {
  const { rows } = await sql`
    select from passage_spaces as s
    where s.is_current and (s.url, s.model, s.ceiling) = (${endpoint.url}, ${model}, ${tlpRank(ceiling)})
      and not exists (select from passages as p where p.revision > s.reached)
      and not exists (select from passage_spaces as o where not o.is_current)`.execute(db)
  return rows.length > 0
}

/** Searches a space from now on, in place of the one before. */
export const switchTo = (db: Kysely<unknown>, { id }: Space): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockPassages(trx)
    const { rows } = await sql`select from passage_spaces where id = ${id}`.execute(trx)
    if (rows.length === 0) return
    await sql`delete from passage_spaces where id <> ${id}`.execute(trx)
    await sql`update passage_spaces set is_current = true where id = ${id}`.execute(trx)
  })

/** Without a selected model, nothing is kept: selecting it again makes everything again. */
export async function removeSpaces(db: Kysely<unknown>): Promise<void> {
  await sql`delete from passage_spaces`.execute(db)
  await sql`
    update passage_index set failures = 0, last_error = null, next_attempt_at = now()
    where failures > 0`.execute(db)
}
