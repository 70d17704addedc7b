import { sql } from 'kysely'
import type { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'
import { notFound } from '../engine/errors.ts'
import { parseId } from '../engine/reference.ts'
import type { Route } from '../engine/route.ts'
import type { Server } from '../server.ts'

/** Stores the report of a trial run for the user who started it. */
export async function storeReport({ db }: Pick<Server, 'db'>, run: string, owner: number, report: object) {
  await sql`
    insert into feed_reports (run, owner, report) values (${run}, ${owner}, ${JSON.stringify(report)}::jsonb)
    on conflict (run) do update set report = excluded.report`.execute(db)
}

/** The endpoint for the report of a trial run: a 404 for other users and until the run has ended. */
export const reportRoute = (tag: string, path: string, permission: string, report: z.ZodType): Route =>
  defineAction({
    name: `report_${tag}`,
    doc: 'Read the report of a trial run; only available to the user who started it',
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
