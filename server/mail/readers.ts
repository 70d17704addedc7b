import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Whether the user with this alias can receive mail. */
export const canHear = (alias: string): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`(${column('is_active')} and not ${column('is_locked')} and ${column('email')} <> '')`
}
