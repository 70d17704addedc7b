import { sql } from 'kysely'
import type { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import { notFound } from '../engine/errors.ts'
import { parseId } from '../engine/reference.ts'
import type { Context } from '../engine/resource.ts'
import type { Route } from '../engine/route.ts'
import type { Server } from '../server.ts'

/** Keeps what a trial run found, for the user who started it. */
export async function storeReport({ db }: Pick<Server, 'db'>, run: string, owner: number, report: object) {
  await sql`
    insert into feed_reports (run, owner, report) values (${run}, ${owner}, ${JSON.stringify(report)}::jsonb)
    on conflict (run) do update set report = excluded.report`.execute(db)
}

/** Reads the report of a trial run; there is none for anybody else, and none before the run is over. */
export const reportRoute = (tag: string, path: string, permission: string, report: z.ZodType): Route =>
  defineAction({
    name: `report_${tag}`,
    doc: 'Read what a trial found; only who started it can',
    tag,
    method: 'GET',
    path,
    permission,
    result: report,
    refusals: [404],
    run: (ctx, _, { params }) => findReport(ctx, params.run ?? ''),
  })

async function findReport({ db, caller }: Context, given: string): Promise<unknown> {
  const run = parseId('uuid', given)
  if (run === undefined) throw notFound(given)
  const { rows } = await sql<{ report: unknown }>`
    select report from feed_reports where run = ${run} and owner = ${caller.id}`.execute(db)
  if (!rows[0]) throw notFound(run)
  return rows[0].report
}
