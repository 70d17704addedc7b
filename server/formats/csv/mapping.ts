/** A column of a file and the field it becomes. */
export interface ColumnMapping {
  readonly column_name: string
  readonly vendor_fields: readonly string[]
  readonly parameters: {
    readonly column_delimiter?: string | undefined
    readonly maliciousness?: 'unknown' | 'safe' | 'low' | 'medium' | 'high' | undefined
    readonly time_format?: string | undefined
    readonly title_before_description?: boolean | undefined
    readonly title_heading?: string | undefined
  }
}

/** The part of a CSV mapping that reading needs: the fields of the columns, and the CSV dialect. */
export interface CsvMapping {
  readonly mappings: readonly ColumnMapping[]
  /** The column names in order, for files without a header. */
  readonly columns: readonly string[]
  readonly config: {
    readonly comment_character: string
    readonly delimiter: string
    readonly first_row_is_header: boolean
    readonly ignore_comment_lines: boolean
    readonly ignore_lines_without_delimiter: boolean
    readonly parse_tags: boolean
    readonly quote_character: string
    readonly tags_delimiter: string
  }
  readonly default_field_values: Readonly<Record<string, unknown>>
}
