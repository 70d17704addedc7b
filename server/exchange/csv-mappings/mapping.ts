import { z } from 'zod'
import { isWebAddress } from '../../domain/web-address.ts'
import { string } from '../../engine/field.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { MALICIOUSNESS } from '../../intelligence/entities/observables-in.ts'

const hasNoBreak = (text: string): boolean => !/[\r\n]/.test(text)

const character = string(1, 1).refine(hasNoBreak, 'must not be a line break')

const quote = string(0, 2).refine(hasNoBreak, 'must not contain a line break')

/** The syntax of a CSV file. */
export const csvConfig = z
  .object({
    comment_character: character.default('#'),
    delimiter: character.default(','),
    first_row_is_header: z.boolean().default(true).describe('Whether the first row contains column names.'),
    ignore_comment_lines: z.boolean().default(false),
    ignore_lines_without_delimiter: z.boolean().default(false),
    parse_tags: z.boolean().default(false).describe('Whether a cell can contain several tags.'),
    quote_character: quote
      .default('"')
      .describe('Empty if cells are never quoted; two characters if the opening and closing quotes differ.'),
    tags_delimiter: character.default(';'),
  })
  .superRefine((given, check) => {
    for (const [one, other, isRead] of MARKS) {
      if (!isRead(given) || given[one] === '' || !given[other].includes(given[one])) continue
      check.addIssue({ code: 'custom', path: [one], message: `must not be the same as ${other}` })
    }
  })

type Mark = 'comment_character' | 'delimiter' | 'quote_character' | 'tags_delimiter'
type Read = { readonly ignore_comment_lines: boolean; readonly parse_tags: boolean }

/** Characters that must differ, and the condition under which they are used. */
const MARKS: readonly [one: Mark, other: Mark, isRead: (given: Read) => boolean][] = [
  ['delimiter', 'quote_character', () => true],
  ['comment_character', 'delimiter', ({ ignore_comment_lines }) => ignore_comment_lines],
  ['comment_character', 'quote_character', ({ ignore_comment_lines }) => ignore_comment_lines],
  ['tags_delimiter', 'quote_character', ({ parse_tags }) => parse_tags],
]

const parameters = z.object({
  column_delimiter: string(1, 100).optional().describe('Separates several values in one cell.'),
  maliciousness: z.enum(MALICIOUSNESS).optional().describe('The maliciousness of the observables in the cells.'),
  time_format: string(1, 200).optional().describe('The format of times in the cells.'),
  title_before_description: z.boolean().optional().describe('Whether the text is preceded by the name of the column.'),
  title_heading: string(0, 200).optional().describe('A heading for the text in place of the name of the column.'),
})

/** Accepts the older name of a field. */
const withCurrentName = (column: unknown): unknown => {
  if (typeof column !== 'object' || column === null || !('eiq_fields' in column)) return column
  const { eiq_fields, ...rest } = column
  return { vendor_fields: eiq_fields, ...rest }
}

const column = z.preprocess(
  withCurrentName,
  z.object({
    column_name: string(1, 1000),
    vendor_fields: z.array(string(1, 500)).max(100).default([]).describe('The fields that the cells are mapped to.'),
    parameters: parameters.prefault({}),
  }),
)

/** The columns of a file and the fields they are mapped to. */
export const mappings = z.array(column).max(1000).check(refuseUnstorable)

export const defaultFieldValues = z.looseObject({}).check(refuseUnstorable)

export const csvUrl = string(1, 2000)
  .refine(isWebAddress, 'must be an http or https URL without a password')
  .meta({ format: 'uri' })

/** A mapping without a name, embedded in another object such as a feed or a file. */
export const inlineCsvMapping = z.object({
  mappings,
  columns: z.array(string()).default([]),
  config: csvConfig.prefault({}),
  csv_url: csvUrl.nullable().default(null),
  default_field_values: defaultFieldValues.default({}),
  description: string().nullable().default(null),
})
