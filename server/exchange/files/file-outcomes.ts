import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { bool, found, int, oneOf, ref, strings, text } from '../../engine/field.ts'
import { routesBelow } from '../../engine/nested-routes.ts'
import { defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { readOnly } from '../../engine/standard.ts'

/** The fields of an outcome, for files and incoming feeds. */
export const outcomeFields = {
  owner: ref('files').hidden(),
  position: int().readOnly().describe('Its position among all objects of the file.'),
  place: text().readOnly().describe('Its location in the file.'),
  kind: oneOf(['entity', 'relationship', 'observable', 'part'])
    .readOnly()
    .describe('part: something that is none of the others.'),
  outcome: oneOf(['created', 'updated', 'unchanged', 'outdated', 'refused', 'lost'])
    .readOnly()
    .describe('outdated: a later version already exists.'),
  stix_id: text().nullable().readOnly(),
  entity: found('entities', 'select e.id from entities as e where e.id = t.entity'),
  relationship: found('relationships', 'select r.id from relationships as r where r.id = t.relationship'),
  details: strings().readOnly().describe('What was lost, or why it was refused.'),
  has_loss: bool()
    .readOnly()
    .describe('Whether something was lost, even if the rest was stored. The `lost` of a result counts these.'),
  observables_created: int()
    .readOnly()
    .describe('The number of its observables that were new to the user who imported it.'),
  notes: strings().readOnly().describe('Further information, such as the number of observables on exclusion lists.'),
}

/**
 * Whether all readers of a document may read the outcome at an alias. The outcome of an object reveals whether the importer knew it
 * before, so only users who see the object may read it. Refusals and losses are about the document.
 */
export function isOutcomeSeen(ctx: Context, t: string): RawBuilder<SqlBool> {
  const row = (column: string) => sql.ref(`${t}.${column}`)
  const sees = (collection: 'entities' | 'relationships', column: string) => sql`exists (
    select from ${sql.table(collection)} as o
    where o.id = ${row(column)} and ${visible(ctx, resourceOf(ctx, collection), 'o')})`
  return sql`(
    ${row('outcome')} in ('refused', 'lost')
    or ${sees('entities', 'entity')}
    or ${sees('relationships', 'relationship')})`
}

/** Whether the caller started the import of the file `about` that produced the outcome at an alias. */
const isImporter = ({ caller }: Context, t: string): RawBuilder<SqlBool> =>
  sql`coalesce((select r.created_by from task_runs as r where r.id = ${sql.ref(`${t}.run`)}), about.owner) = ${caller.id}`

const outcomes = defineResource({
  collection: 'file_outcomes',
  title: 'File outcome',
  doc: 'What happened to one object of a file, and what was lost. Users who did not import the file get the outcomes of objects that they see, and all refusals and losses.',
  key: ['id'],
  permission: 'files',
  fields: outcomeFields,
  search: { filters: { owner: ref('files') } },
  visible: (ctx, t) => sql`exists (
    select from files as about
    where about.id = ${sql.ref(`${t}.owner`)} and ${visible(ctx, resourceOf(ctx, 'files'), 'about')}
      and (${isImporter(ctx, t)} or ${isOutcomeSeen(ctx, t)}))`,
  operations: readOnly,
})

/** The outcomes of a file, in the order of its objects. */
export const outcomeRoutes = routesBelow(
  { owners: 'files', segment: 'outcomes', verbs: ['list'], sort: 'position' },
  outcomes,
)
