/** A column of a file, and what its cells become. */
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

/** What the columns of CSV files become, and how such files are written: as much of a CSV mapping as reading needs. */
export interface CsvMapping {
  readonly mappings: readonly ColumnMapping[]
  /** The columns in their order, for files that do not name them. */
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
