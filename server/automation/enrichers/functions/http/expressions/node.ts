/** A parsed expression. */
export type Node =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  /** `@`: the item at hand. */
  | { readonly kind: 'current' }
  /** `$`: the whole answer. */
  | { readonly kind: 'root' }
  /** `$value`, `$type` or `$status`. */
  | { readonly kind: 'variable'; readonly name: VariableName }
  | { readonly kind: 'path'; readonly of: Node; readonly steps: readonly Step[] }
  | { readonly kind: 'either' | 'both'; readonly left: Node; readonly right: Node }
  | { readonly kind: 'not'; readonly of: Node }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: Node; readonly right: Node }
  | { readonly kind: 'call'; readonly name: string; readonly given: readonly Node[] }

/** A step of a path, taken from every item that the path has reached. */
export type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  /** All items of a list, or all values of an object. */
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly test: Node }

export const COMPARISONS = ['==', '!=', '<=', '>=', '<', '>'] as const
export type Comparison = (typeof COMPARISONS)[number]

/** What expressions can refer to besides the answer. */
export const VARIABLES = ['value', 'type', 'status'] as const
export type VariableName = (typeof VARIABLES)[number]
