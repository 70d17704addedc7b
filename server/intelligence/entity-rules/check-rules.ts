import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { patternFault, unknownNames } from './alias.ts'
import type { Action } from './rule.ts'

/** What an action cannot do without. */
const REQUIRED: Partial<Record<Action, string>> = {
  override_tlp: 'override_tlp',
  set_alias: 'alias_formatting_template',
  convert_to_vendorjson2: 'vendorjson2_entity_type',
}

/** Throws a 400 for rules whose parts do not go together. */
export function refuseBadRules(rows: readonly AnyRow[]): void {
  const faults = rows.flatMap((row, i) => faultsIn(row).map((fault) => `${itemPrefix(rows, i)}${fault}`))
  if (faults.length > 0) throw badRequest(faults)
}

function faultsIn(row: AnyRow): string[] {
  const actions = row.actions as readonly Action[]
  const missing = actions.flatMap((action) => {
    const field = REQUIRED[action]
    return field !== undefined && row[field] === null ? [`${field}: is required for the action ${action}`] : []
  })
  const both = (row.add_tags as string[]).filter((tag) => (row.remove_tags as string[]).includes(tag))
  const { title_pattern: pattern, alias_formatting_template: template } = row as {
    title_pattern?: string | null
    alias_formatting_template?: string | null
  }
  const fault = pattern ? patternFault(pattern) : undefined
  const unknown = template && fault === undefined ? unknownNames(template, pattern ?? null) : []
  return [
    ...missing,
    ...both.map((tag) => `remove_tags: '${tag}' is in add_tags as well`),
    ...(fault === undefined ? [] : [`title_pattern: ${fault}`]),
    ...unknown.map(
      (name) => `alias_formatting_template: there is no '{${name}}'; it is not a named group of title_pattern`,
    ),
  ]
}

/** Throws a 400 for rules with datasets whose entities follow from a query. */
export async function refuseDynamicDatasets(ctx: Context, ids: readonly Id[]): Promise<void> {
  const { rows } = await sql<{ source: number; id: number }>`
    select l.source, d.id
    from entity_rule_datasets as l join datasets as d on d.id = l.target
    where l.source = any(${ids}::integer[]) and (d.search_query is not null or d.relational_query is not null)
    order by 1, 2`.execute(ctx.db)
  if (rows.length === 0) return
  throw badRequest(
    rows.map(({ source, id }) => {
      const where = itemPrefix(ids, ids.indexOf(source))
      return `${where}datasets: '${id}' is dynamic: what is in it follows from its query`
    }),
  )
}
