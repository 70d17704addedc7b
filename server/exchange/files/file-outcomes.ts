import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { bool, found, int, oneOf, ref, strings, text } from '../../engine/field.ts'
import { routesBelow } from '../../engine/nested-routes.ts'
import { type Context, defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { readOnly } from '../../engine/standard.ts'

/** What is told of an object that was read, whether it came in a file or with a feed. */
export const outcomeFields = {
  owner: ref('files').hidden(),
  position: int().readOnly().describe('Its place among all that was read of the file.'),
  place: text().readOnly().describe('Where it stands in the file.'),
  kind: oneOf(['entity', 'relationship', 'observable', 'part'])
    .readOnly()
    .describe('part: something that could not be understood as any of the others.'),
  outcome: oneOf(['created', 'updated', 'unchanged', 'outdated', 'refused', 'lost'])
    .readOnly()
    .describe('outdated: there is a later version of it already.'),
  stix_id: text().nullable().readOnly(),
  entity: found('entities', 'select e.id from entities as e where e.id = t.entity'),
  relationship: found('relationships', 'select r.id from relationships as r where r.id = t.relationship'),
  details: strings().readOnly().describe('What was lost of it, or why it was refused.'),
  has_loss: bool()
    .readOnly()
    .describe('Whether something of it was lost, also where the rest was stored; the `lost` of a result counts these.'),
  observables_created: int()
    .readOnly()
    .describe('How many observables of the entity were new to the user who imported it.'),
  notes: strings().readOnly().describe('What else there is to know: observables that are on exclusion lists.'),
}

/**
 * Whether everyone who may read a document may read the outcome at an alias. What became of an object tells whether the importer knew it
 * before: that is for those who see the object. What could not be read or stored is about the document.
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

/** Whether the caller had the file `about` processed, and so was the importer of the outcome at an alias. */
const isImporter = ({ caller }: Context, t: string): RawBuilder<SqlBool> =>
  sql`coalesce((select r.created_by from task_runs as r where r.id = ${sql.ref(`${t}.run`)}), about.owner) = ${caller.id}`

const outcomes = defineResource({
  collection: 'file_outcomes',
  title: 'File outcome',
  doc: 'What became of one object of a file, and what of it was lost. Users who did not import the file see it of objects that they see.',
  key: ['id'],
  permission: 'files',
  fields: outcomeFields,
  places: { owner: ref('files') },
  visible: (ctx, t) => sql`exists (
    select from files as about
    where about.id = ${sql.ref(`${t}.owner`)} and ${visible(ctx, resourceOf(ctx, 'files'), 'about')}
      and (${isImporter(ctx, t)} or ${isOutcomeSeen(ctx, t)}))`,
  operations: readOnly,
})

/** What became of the objects of a file, in their order: `?filter[has_loss]=true` tells what to look at. */
export const outcomeRoutes = routesBelow(
  { owners: 'files', segment: 'outcomes', verbs: ['list'], sort: 'position' },
  outcomes,
)
