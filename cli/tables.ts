import type pg from 'pg'

/** A table of the installation and its copied columns. */
export interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

/** The table of executed migrations, which a restore fills by running them. */
export const MIGRATIONS = 'migrations'

/** All tables of Corvus, without generated columns. */
export async function tablesOf(client: pg.PoolClient): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select t.table_name as name, array_agg(c.column_name::text order by c.ordinal_position) as columns
    from information_schema.tables as t
    join information_schema.columns as c using (table_schema, table_name)
    where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
    group by t.table_name
    order by t.table_name`)
  return rows.filter(({ name }) => name !== MIGRATIONS)
}

/** Quotes an SQL identifier. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The columns of a table as COPY lists them. */
export const columnList = ({ columns }: Table): string => columns.map(quoted).join(', ')
