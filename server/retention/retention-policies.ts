import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'
import { notFound } from '../engine/errors.ts'
import { bool, int, name, oneOf, text } from '../engine/field.ts'
import { parseId } from '../engine/reference.ts'
import { defineResource } from '../engine/resource.ts'
import { resourceOf, visible } from '../engine/select.ts'
import { stamps } from '../engine/stamps.ts'
import { subjects, WHATS, type What } from './subjects.ts'

export const retentionPolicies = defineResource({
  collection: 'retention_policies',
  title: 'Retention policy',
  doc: 'How long data is kept. A daily task deletes older data; of several policies the shortest applies.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    what: oneOf(WHATS)
      .required()
      .describe(WHATS.map((what) => `${what}: ${subjects[what].doc}.`).join(' ')),
    keep_days: int(1, 36_500)
      .required()
      .describe('Data older than this is deleted; for entities, the age counts from the day they became inactive.'),
    is_active: bool().default(true).describe('An inactive policy deletes nothing.'),
    ...stamps,
  },
  example: { name: 'Keep runs for half a year', what: 'task-runs', keep_days: 180, is_active: false },
  routes: (standard) => [
    defineAction({
      name: 'preview_retention_policies',
      doc: 'Count what a retention policy would delete now, limited to intelligence that you can see; for an inactive policy, as if it were active',
      tag: 'retention_policies',
      method: 'GET',
      path: '/retention-policies/:id/preview',
      permission: 'read retention-policies',
      result: z.object({ count: z.int() }),
      refusals: [404],
      run: (ctx, _, { params }) => preview(ctx, params.id ?? ''),
    }),
    ...standard,
  ],
})

async function preview(ctx: Context, given: string): Promise<{ count: number }> {
  const id = parseId('integer', given)
  if (id === undefined) throw notFound(given)
  const { rows: policies } = await sql<{ what: What; keep_days: number }>`
    select what, keep_days from retention_policies where id = ${id}`.execute(ctx.db)
  const [policy] = policies
  if (!policy) throw notFound(id)
  const { table, isOld } = subjects[policy.what]
  const seen = policy.what === 'inactive-entities' ? visible(ctx, resourceOf(ctx, 'entities')) : sql<SqlBool>`true`
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} as t where ${isOld(policy.keep_days)} and ${seen}`.execute(ctx.db)
  return { count: rows[0]?.count ?? 0 }
}
