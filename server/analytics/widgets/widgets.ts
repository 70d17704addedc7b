import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import { changedBy } from '../../engine/changed-by.ts'
import type { AnyRow } from '../../engine/context.ts'
import type { Condition } from '../../engine/definition.ts'
import { badRequest } from '../../engine/errors.ts'
import { json, name, oneOf, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { storedQuery } from '../../intelligence/queries/stored-query.ts'
import { aggregation } from '../aggregating/aggregation.ts'
import { mayChangeDashboard } from '../dashboards.ts'
import { widgetData } from './data.ts'
import { settings } from './settings.ts'
import { faultsIn, WIDGET_TYPES, type Widget } from './widget.ts'

/** All dashboards count: showing another user's widget on your own dashboard must not let you change it. */
const mayChange: Condition = (ctx, t) => sql`(
  ${sql.ref(`${t}.created_by`)} = ${ctx.caller.id}
  or not exists (
    select from dashboard_widgets as l join dashboards as d on d.id = l.source
    where l.target = ${sql.ref(`${t}.id`)} and not ${mayChangeDashboard(ctx, 'd')}))`

const owned = changedBy(
  mayChange,
  ({ name }) =>
    `Only the creator, or a user who can change every dashboard that shows it, can change the widget '${name}'.`,
)

/** Refuses widgets that could show nothing. Checked after the write, when the resulting widget is known. */
function checked<R extends AnyRow>(rows: readonly R[]): void {
  const faults = rows.flatMap((row, i) =>
    faultsIn(row as unknown as Widget).map((fault) => `${itemPrefix(rows, i)}${fault}`),
  )
  if (faults.length > 0) throw badRequest(faults)
}

const operations: typeof owned = {
  ...owned,
  create: async (ctx, resource, item) => {
    const row = await owned.create(ctx, resource, item)
    checked([row])
    return row
  },
  upsert: async (ctx, resource, items) => {
    const written = await owned.upsert(ctx, resource, items)
    checked(written.rows)
    return written
  },
  update: async (ctx, resource, id, patch) => {
    const row = await owned.update(ctx, resource, id, patch)
    checked([row])
    return row
  },
}

export const widgets = defineResource({
  collection: 'widgets',
  title: 'Widget',
  doc: 'A number, chart, list or attack matrix of entities for dashboards, or the state of enrichers.',
  key: ['name'],
  permission: 'configurations',
  fields: {
    name: name(),
    type: oneOf(WIDGET_TYPES).required(),
    query: text().accepts(storedQuery).nullable().describe('Only entities that match this query; null for all.'),
    aggregation: json(aggregation).nullable().describe('What a chart counts; required for charts.'),
    settings: json(settings).default({}),
    ...stamps,
  },
  example: { name: 'Entities by type', type: 'bar', query: 'created_at:>now-7d', aggregation: { group_by: 'type' } },
  visible: (ctx, t) => sql`(
    ${sql.ref(`${t}.created_by`)} = ${ctx.caller.id}
    or exists (
      select from dashboard_widgets as v join dashboards as d on d.id = v.source
      where v.target = ${sql.ref(`${t}.id`)} and ${visible(ctx, resourceOf(ctx, 'dashboards'), 'd')}))`,
  operations,
  routes: (standard) => [widgetData, ...standard],
})
