import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { parseTimestamp } from '../../domain/timestamp.ts'
import { isWebAddress } from '../../domain/web-address.ts'
import { string } from '../../engine/field.ts'
import { isoDay } from '../../search/days.ts'

interface DataTypeInfo {
  readonly doc: string
  readonly schema: z.ZodType
  /** How queries treat its values. */
  readonly searched: 'keyword' | 'number' | 'date' | 'boolean'
  /** Recognises most valid stored values `v` with the text `x` in SQL. The others are read and validated by the schema. */
  readonly surelyFits: RawBuilder<SqlBool>
}

const MAX_LINE_LENGTH = 1000
const MAX_LIST_ITEMS = 1000

const line = string(0, MAX_LINE_LENGTH).refine((text) => !/[\r\n]/.test(text), 'must be on one line')

/** A day or a time in a form that search indexes by day. ISO 8601 has further forms. */
const isMoment = (text: string): boolean => parseTimestamp(text) !== undefined && isoDay(text) !== undefined

const day = z
  .string()
  .refine((text) => text.length === 10 && isMoment(text), 'must be a day such as 2024-01-29')
  .meta({ format: 'date' })

const time = z.string().refine(isMoment, 'must be an ISO 8601 time such as 2024-01-29T07:42:07Z')

const url = string(1, 2000)
  .refine(isWebAddress, 'must be an http or https URL without a password')
  .meta({ format: 'uri' })

const isLine = sql<SqlBool>`char_length(w.text) <= ${sql.lit(MAX_LINE_LENGTH)} and w.text !~ '[\\r\\n]'`

const types = {
  string: {
    doc: `text on a single line, up to ${MAX_LINE_LENGTH} characters`,
    schema: line,
    searched: 'keyword',
    surelyFits: sql`jsonb_typeof(v.value) = 'string' and (select ${isLine} from (select x.text) as w)`,
  },
  text: {
    doc: 'text, up to 1,000,000 characters',
    schema: string(),
    searched: 'keyword',
    surelyFits: sql`jsonb_typeof(v.value) = 'string' and char_length(x.text) <= 1000000`,
  },
  integer: {
    doc: 'a whole number',
    schema: z.int(),
    searched: 'number',
    surelyFits: sql`case jsonb_typeof(v.value) when 'number' then
      abs((v.value)::numeric) <= 9007199254740991 and (v.value)::numeric = trunc((v.value)::numeric) end`,
  },
  number: {
    doc: 'a number',
    schema: z.number(),
    searched: 'number',
    surelyFits: sql`case jsonb_typeof(v.value) when 'number' then abs((v.value)::numeric) < 1e308 end`,
  },
  boolean: {
    doc: 'true or false',
    schema: z.boolean(),
    searched: 'boolean',
    surelyFits: sql`jsonb_typeof(v.value) = 'boolean'`,
  },
  date: {
    doc: 'a day, such as 2024-01-29',
    schema: day,
    searched: 'date',
    surelyFits: sql`jsonb_typeof(v.value) = 'string' and x.text ~ '^[12]\\d{3}-\\d\\d-\\d\\d$' and moment_of(x.text) is not null`,
  },
  datetime: {
    doc: 'a time in ISO 8601, kept as sent',
    schema: time,
    searched: 'date',
    surelyFits: sql`jsonb_typeof(v.value) = 'string' and moment_of(x.text) is not null
      and x.text ~ '^[12]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|\\+00:00)$'`,
  },
  url: {
    doc: 'an http or https address',
    schema: url,
    searched: 'keyword',
    surelyFits: sql`jsonb_typeof(v.value) = 'string' and char_length(x.text) <= 2000
      and x.text ~ '^https?://([a-z0-9]+(-[a-z0-9]+)*\\.)+[a-z]{2,}(/[!-~]*)?$'`,
  },
  list: {
    doc: `a list of up to ${MAX_LIST_ITEMS} single-line texts`,
    schema: z.array(line).max(MAX_LIST_ITEMS),
    searched: 'keyword',
    surelyFits: sql`case jsonb_typeof(v.value) when 'array' then jsonb_array_length(v.value) <= ${sql.lit(MAX_LIST_ITEMS)}
      and not exists (
        select from jsonb_array_elements(v.value) as e(value) cross join lateral (select e.value #>> '{}' as text) as w
        where jsonb_typeof(e.value) <> 'string' or not (${isLine})) end`,
  },
} satisfies Record<string, DataTypeInfo>

export type DataType = keyof typeof types

/** The data types of custom attributes. */
export const dataTypes: Readonly<Record<DataType, DataTypeInfo>> = types

export const DATA_TYPES = Object.keys(types) as [DataType, ...DataType[]]

/** The values that an attribute accepts. */
export interface ValueType {
  readonly data_type: DataType
  readonly allowed_values: readonly (string | number | boolean)[] | null
}

/** The schema of values. Allowed values are of the data type, so being one of them is enough. */
export function schemaOf({ data_type, allowed_values }: ValueType): z.ZodType {
  if (!allowed_values) return dataTypes[data_type].schema
  const one = z.literal([...allowed_values])
  return data_type === 'list' ? z.array(one).max(MAX_LIST_ITEMS) : one
}

/** The schema of an allowed value, which for lists is an allowed item. */
export const allowedSchema = (type: DataType): z.ZodType => (type === 'list' ? line : dataTypes[type].schema)

/** Whether a stored value `v` with the text `x` certainly fits the data type that an expression names. */
export const surelyFits = (type: RawBuilder<unknown>): RawBuilder<SqlBool> => {
  const cases = Object.entries(dataTypes).map(([name, own]) => sql`when ${sql.lit(name)} then (${own.surelyFits})`)
  return sql`case ${type} ${sql.join(cases, sql` `)} end`
}
