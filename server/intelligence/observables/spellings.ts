import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { normaliseObservable } from '../../domain/observables/normalise.ts'
import { OBSERVABLE_TYPES } from '../../domain/observables/types.ts'
import type { Context } from '../../engine/context.ts'

/** Whether the observable `t` has one of these values, in the spelling of any type. */
export function hasValue(_: Context, values: readonly string[]): RawBuilder<SqlBool> {
  const typesByValue = new Map<string, string[]>()
  for (const value of values) {
    for (const type of OBSERVABLE_TYPES) {
      const normalised = normaliseObservable(type, value)
      if ('fault' in normalised) continue
      const types = typesByValue.get(normalised.value) ?? []
      typesByValue.set(normalised.value, types)
      types.push(type)
    }
  }
  const spelled = [...typesByValue].map(
    ([value, types]) =>
      sql<SqlBool>`(observable_key(t.value) = observable_key(${value}) and t.type = any(${types}::text[]))`,
  )
  return spelled.length === 0 ? sql`false` : sql`(${sql.join(spelled, sql` or `)})`
}
