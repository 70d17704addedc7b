import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { wireTime } from '../../engine/document.ts'
import { requireVisible } from '../../engine/fetch.ts'
import { readId } from '../../engine/query.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import { resourceOf } from '../../engine/select.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { MALICIOUSNESS } from '../entities/observables-in.ts'
import { severityOf, waysTo } from './sight.ts'

const verdict = z.object({
  source: z.url(),
  maliciousness: z.enum(MALICIOUSNESS),
  is_own: z.boolean().describe('Whether it is the verdict of one of your groups, which takes precedence.'),
  given_at: z.iso.datetime({ offset: true }).nullable(),
  given_by: z.url().nullable().describe('The user who gave it; null for enrichers.'),
})
type Verdict = z.output<typeof verdict>

/** Lists what each source says about an observable, so that readers can weigh verdicts that differ. */
export const listVerdicts = defineAction({
  name: 'list_observable_verdicts',
  doc: 'List the verdicts on an observable by source: your own first, then the strongest',
  tag: 'observables',
  method: 'GET',
  path: '/observables/:id/verdicts',
  permission: 'read extracts',
  result: z.array(verdict),
  refusals: [404],
  run: async (ctx, _, { params }) => {
    const resource = resourceOf(ctx, 'observables')
    const id = readId(resource, params.id ?? '')
    await requireVisible(ctx, resource, id)
    return verdictsOn(ctx, id)
  },
})

interface Row extends Omit<Verdict, 'source' | 'given_by'> {
  readonly source: Id
  readonly given_by: Id | null
}

/** The strongest visible verdict of each source: one source may have several entities with the observable. */
async function verdictsOn(ctx: Context, id: Id): Promise<Verdict[]> {
  const { rows } = await sql<Row>`
    select s.id as source, v.maliciousness, v.is_own, ${wireTime(sql`v.last_updated_at`)} as given_at, v.last_updated_by as given_by
    from (
      select distinct on (${sourceOf(sql`way.vis`)}) ${sourceOf(sql`way.vis`)} as number, way.*
      from (${waysTo(ctx, sql`${id}::integer`)}) as way
      where way.maliciousness is not null
      order by ${sourceOf(sql`way.vis`)}, ${severityOf(sql`way.maliciousness`)} desc, way.last_updated_at desc
    ) as v
    join sources as s on s.number = v.number
    order by v.is_own desc, ${severityOf(sql`v.maliciousness`)} desc, s.id`.execute(ctx.db)
  return rows.map(({ source, given_by, ...rest }) => ({
    source: toUrl(ctx.baseUrl, 'sources', source),
    ...rest,
    given_by: given_by === null ? null : toUrl(ctx.baseUrl, 'users', given_by),
  }))
}
