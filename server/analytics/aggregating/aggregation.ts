import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { and, remaining, visible } from '../../engine/select.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import { consolidation } from '../../intelligence/entities/unified.ts'
import { offsetOf } from '../../search/query/moments.ts'
import { compileQuery } from '../../search/sql/compile.ts'
import { byDay, byInterval, INTERVALS } from './readings.ts'
import { findSeries, MAX_SPLITS, type Series } from './series.ts'
import { findNames } from './value-names.ts'
import { guardsOf, kindOf, valuesOf } from './values.ts'

/** Stands for all values beyond the limit, and for the series if there is only one. */
const OTHER = '_other'
const SINGLE = '_single'

const field = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((name) => !name.includes('\u0000'), 'must not contain the NUL character')

const shape = {
  group_by: field.describe('A field, named as in a query.'),
  split_by: field.nullable().default(null).describe(`A field whose first ${MAX_SPLITS} values become series.`),
  interval: z.enum(INTERVALS).optional().describe('The interval of times; a day by default.'),
  time_zone: z
    .string()
    .regex(/^(Z|[+-](0\d|1[0-4]):[0-5]\d)$/, 'must be an offset such as +02:00')
    .default('+00:00')
    .describe('The UTC offset at which days begin.'),
  metric: z.enum(['count']).default('count'),
  limit: z.int().min(1).max(1000).default(10).describe('The number of values to return; for times, the latest ones.'),
  order: z
    .enum(['count', 'value'])
    .optional()
    .describe('Times are ordered by value; other values by count, unless set otherwise.'),
  include_other: z.boolean().default(false).describe(`Counts the values beyond the limit as \`${OTHER}\`.`),
  fill: z.boolean().default(false).describe('Includes empty intervals.'),
  consolidation: consolidation.optional(),
}

/** An aggregation without its query, which a widget stores separately. */
export const aggregation = z.object(shape).superRefine(refuseMismatch)

/** An aggregation with its query: everything a chart needs. */
export const aggregationQuery = z
  .object({ query: z.string().nullable().default(null).describe('Only entities that match this query.'), ...shape })
  .superRefine(refuseMismatch)

export type Asked = z.output<typeof aggregationQuery>

const mapping = z.record(z.string(), z.string())

export const aggregated = z.object({
  aggregations: z.array(
    z.object({
      key: z.string().describe('The field, or the split value of this series.'),
      values: z.array(z.tuple([z.string(), z.int()])).describe('Values and the number of entities that have them.'),
    }),
  ),
  group_by_value_mappings: z
    .record(z.string(), mapping)
    .describe(`For each series, or for \`${SINGLE}\`: the display names of its values.`),
  split_by_value_mapping: mapping.nullable(),
  total_count: z.int().describe('The number of matching entities, with or without values in the fields.'),
})

/** The permissions that the fields require in addition to reading entities. */
export const guardsOfAggregation = ({ group_by, split_by }: Pick<Asked, 'group_by' | 'split_by'>): string[] =>
  guardsOf([group_by, ...(split_by === null ? [] : [split_by])])

function refuseMismatch(asked: Omit<Asked, 'query'>, { addIssue }: Pick<z.RefinementCtx, 'addIssue'>): void {
  const { isGroupTime, isSplitTime } = timesIn(asked)
  const refuse = (name: string, message: string) => addIssue({ code: 'custom', path: [name], message })
  if (asked.interval && !isGroupTime && !isSplitTime) refuse('interval', 'requires a time field to group or split by')
  if (asked.fill && !isGroupTime)
    refuse('fill', 'requires times to group by; set an interval if the field contains times')
  if (asked.fill && asked.order === 'count') refuse('fill', 'requires ordering by value')
}

/** The time fields. A part of a document counts as a time field if an interval is set that no other field needs. */
function timesIn({ group_by, split_by, interval }: Pick<Asked, 'group_by' | 'split_by' | 'interval'>) {
  const [group, split] = [kindOf(group_by), split_by === null ? 'other' : kindOf(split_by)]
  const isGroupTime = group === 'time' || (interval !== undefined && group === 'part' && split !== 'time')
  return { isGroupTime, isSplitTime: split === 'time' || (interval !== undefined && split === 'part' && !isGroupTime) }
}

/** Counts the visible entities by one or two fields, for charts. */
export async function aggregate(asked: Context, input: Asked): Promise<z.output<typeof aggregated>> {
  const ctx = { ...asked, at: new Date().toISOString() }
  const { group_by, split_by, interval = 'day', limit } = input
  const { isGroupTime, isSplitTime } = timesIn(input)
  const offset = input.time_zone === 'Z' ? '+00:00' : input.time_zone
  const read = (name: string, alias: string, isTime: boolean) =>
    valuesOf(ctx, name, alias, isTime ? byInterval(interval, offset) : byDay)
  const found = input.query?.trim()
    ? await compileQuery({ ...ctx, utcOffset: offsetOf(offset) }, entityFields, input.query)
    : undefined
  const matching = found ? [found] : []
  const series = await findSeries(ctx, {
    where: and([
      visible(ctx, entities),
      ...matching,
      ...remaining(ctx, entities, input.consolidation === 'all' ? null : (input.consolidation ?? null), matching),
    ]),
    group: read(group_by, 'gv', isGroupTime),
    isGroupTime,
    split: split_by === null ? null : { values: read(split_by, 'sv', isSplitTime), isTime: isSplitTime },
    order: input.order ?? (isGroupTime ? 'value' : 'count'),
    limit,
    fill: input.fill ? { interval, offset } : null,
  })
  const groupNames = await findNames(ctx, group_by, series.groups)
  const splitNames = split_by === null ? null : await findNames(ctx, split_by, series.splits)
  const lines = linesOf(series, input)
  return {
    aggregations: lines.map(({ split, values }) => ({ key: split_by === null ? group_by : split, values })),
    group_by_value_mappings: Object.fromEntries(
      lines.map(({ split, values }) => [
        split,
        mapped(
          values.map(([value]) => value),
          groupNames,
        ),
      ]),
    ),
    split_by_value_mapping:
      splitNames &&
      mapped(
        lines.map(({ split }) => split),
        splitNames,
      ),
    total_count: series.total,
  }
}

/** The series of a response; without a split there is always one. */
function linesOf({ groups, splits, cells }: Series, { split_by, include_other, fill }: Asked) {
  const counts = Map.groupBy(cells, ([, split]) => split ?? OTHER)
  const shown = split_by === null ? [SINGLE] : [...splits, ...(include_other && counts.has(OTHER) ? [OTHER] : [])]
  return shown.map((split) => {
    const own = new Map((counts.get(split) ?? []).map(([group, , count]) => [group, count]))
    const values = groups.flatMap((group): [string, number][] => {
      const count = own.get(group) ?? (fill ? 0 : undefined)
      return count === undefined ? [] : [[group, count]]
    })
    const rest = include_other ? own.get(null) : undefined
    return { split, values: rest === undefined ? values : [...values, [OTHER, rest] as [string, number]] }
  })
}

const mapped = (values: readonly string[], names: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value, names.get(value) ?? (value === OTHER ? 'Other' : value)]))
