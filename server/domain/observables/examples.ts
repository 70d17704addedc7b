import type { Examples } from './definition.ts'
import { definitionOf, OBSERVABLE_TYPES, type ObservableType } from './types.ts'

/** Good and bad values of every type, for tests. */
export const EXAMPLES = Object.fromEntries(
  OBSERVABLE_TYPES.map((type) => [type, definitionOf(type).examples]),
) as Readonly<Record<ObservableType, Examples>>
