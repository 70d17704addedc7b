import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { and } from '../../engine/select.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import type { Rule } from './rule.ts'

/** The entities `t` that a rule matches but for its content criteria. */
export const isCandidate = (rule: Rule): RawBuilder<SqlBool> =>
  and([sql<SqlBool>`not t.is_unresolved and not t.is_unified`, isMeant(rule)])

/** The unified entities `t` that it would match otherwise. Rules do not act on them. */
export const isUnifiedCandidate = (rule: Rule): RawBuilder<SqlBool> => and([sql<SqlBool>`t.is_unified`, isMeant(rule)])

function isMeant({ types, sources, ranks }: Rule): RawBuilder<SqlBool> {
  return and([
    sql<SqlBool>`true`,
    ...(types.size === 0 ? [] : [sql<SqlBool>`t.type = any(${[...types]}::text[])`]),
    ...(sources.size === 0 ? [] : [sql<SqlBool>`${sourceOf(sql`t.vis`)} = any(${[...sources]}::integer[])`]),
    ...(ranks.size === 0 ? [] : [sql<SqlBool>`${rankOf(sql`t.vis`)} = any(${[...ranks]}::integer[])`]),
  ])
}
