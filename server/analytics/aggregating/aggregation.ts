import { z } from 'zod'
import type { Context } from '../../engine/resource.ts'
import { and, visible } from '../../engine/select.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import { offsetOf } from '../../search/query/moments.ts'
import { compileQuery } from '../../search/sql/compile.ts'
import { byDay, byInterval, INTERVALS } from './readings.ts'
import { findSeries, MOST_SPLITS, type Series } from './series.ts'
import { findNames } from './value-names.ts'
import { guardsOf, kindOf, valuesOf } from './values.ts'

/** Stands for all values that have no place of their own, and for the only series there is. */
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
  split_by: field.nullable().default(null).describe(`A field whose ${MOST_SPLITS} first values have a series each.`),
  interval: z.enum(INTERVALS).optional().describe('How times are put together; by the day unless said.'),
  time_zone: z
    .string()
    .regex(/^(Z|[+-](0\d|1[0-4]):[0-5]\d)$/, 'must be an offset such as +02:00')
    .default('+00:00')
    .describe('Where days begin.'),
  metric: z.enum(['count']).default('count'),
  limit: z.int().min(1).max(1000).default(10).describe('How many values are answered; of times the latest.'),
  order: z.enum(['count', 'value']).optional().describe('By value for times, else by count unless said.'),
  include_other: z.boolean().default(false).describe(`Counts the values that are left out as \`${OTHER}\`.`),
  fill: z.boolean().default(false).describe('Also answers the intervals in which there is nothing.'),
}

/** What is counted, without the query: a widget has that beside it. */
export const aggregation = z.object(shape).superRefine(refuseMismatch)

/** All that a chart is made from. */
export const aggregationQuery = z
  .object({ query: z.string().nullable().default(null).describe('Only entities that this query finds.'), ...shape })
  .superRefine(refuseMismatch)

export type Asked = z.output<typeof aggregationQuery>

const mapping = z.record(z.string(), z.string())

export const aggregated = z.object({
  aggregations: z.array(
    z.object({
      key: z.string().describe('The field, or the value that this series is split off by.'),
      values: z.array(z.tuple([z.string(), z.int()])).describe('Values and how many entities have them.'),
    }),
  ),
  group_by_value_mappings: z
    .record(z.string(), mapping)
    .describe(`For each series, or for \`${SINGLE}\`: what people call its values.`),
  split_by_value_mapping: mapping.nullable(),
  total_count: z.int().describe('How many entities match, whatever they have in the fields.'),
})

/** What the fields that are counted by need beside the permission to read entities. */
export const guardsOfAggregation = ({ group_by, split_by }: Pick<Asked, 'group_by' | 'split_by'>): string[] =>
  guardsOf([group_by, ...(split_by === null ? [] : [split_by])])

function refuseMismatch(asked: Omit<Asked, 'query'>, { addIssue }: Pick<z.RefinementCtx, 'addIssue'>): void {
  const { isGroupTime, isSplitTime } = timesIn(asked)
  const refuse = (name: string, message: string) => addIssue({ code: 'custom', path: [name], message })
  if (asked.interval && !isGroupTime && !isSplitTime)
    refuse('interval', 'needs a field with times to group or split by')
  if (asked.fill && !isGroupTime) refuse('fill', 'needs times to group by; name an interval if the field has them')
  if (asked.fill && asked.order === 'count') refuse('fill', 'needs the order by value')
}

/** Which fields have times. A part of a document is taken to have them where an interval is named that nothing else needs. */
function timesIn({ group_by, split_by, interval }: Pick<Asked, 'group_by' | 'split_by' | 'interval'>) {
  const [group, split] = [kindOf(group_by), split_by === null ? 'other' : kindOf(split_by)]
  const isGroupTime = group === 'time' || (interval !== undefined && group === 'part' && split !== 'time')
  return { isGroupTime, isSplitTime: split === 'time' || (interval !== undefined && split === 'part' && !isGroupTime) }
}

/** Counts the entities that the caller may see by one field or two, as a chart needs it. */
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
  const series = await findSeries(ctx, {
    where: and([visible(ctx, entities), ...(found ? [found] : [])]),
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

/** The series of an answer; where nothing is split there is always one. */
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
