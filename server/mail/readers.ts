import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Whether there is anybody to read a mail to the user who goes by this alias. */
export const canHear = (alias: string): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`(${column('is_active')} and not ${column('is_locked')} and ${column('email')} <> '')`
}
