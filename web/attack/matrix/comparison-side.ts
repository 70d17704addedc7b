import type { Scope } from '../scope.ts'

/** The side of a comparison that a scope is, as the API takes it. */
export const sideOf = ({ kind, value }: Pick<Scope, 'kind' | 'value'>): string =>
  kind === 'all' ? 'all' : `${kind}:${value}`

/** The parts of a side, such as `entities` and its ids. */
export function readSide(side: string): { readonly kind: string; readonly ids: readonly string[] } {
  const colon = side.indexOf(':')
  return colon < 0
    ? { kind: side, ids: [] }
    : {
        kind: side.slice(0, colon),
        ids: side
          .slice(colon + 1)
          .split(',')
          .filter(Boolean),
      }
}
