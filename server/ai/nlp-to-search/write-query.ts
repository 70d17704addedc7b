import type { Query } from '../../search/query/ast.ts'
import { printQuery } from '../../search/query/print.ts'

/** A part of a query in which all or any of its members apply, so that people can read it. */
export type Written =
  | { readonly kind: 'leaf'; readonly query: Query }
  | { readonly kind: 'not'; readonly member: Written }
  | { readonly kind: 'all' | 'any'; readonly members: readonly Written[] }

export const leaf = (query: Query): Written => ({ kind: 'leaf', query })
export const not = (member: Written): Written => (member.kind === 'not' ? member.member : { kind: 'not', member })

/** Joins members; those of the same kind become one list. */
export function joined(kind: 'all' | 'any', members: readonly Written[]): Written {
  const flat = members.flatMap((member) => (member.kind === kind ? member.members : [member]))
  const [first] = flat
  return first && flat.length === 1 ? first : { kind, members: flat }
}

/** Writes a query with AND, OR, NOT and parentheses. All operators of one level are the same, because AND does not bind tighter than OR. */
export function writeQuery(written: Written): string {
  if (written.kind === 'leaf') return printQuery(written.query)
  if (written.kind === 'not') return `NOT ${inParentheses(written.member)}`
  const operator = written.kind === 'all' ? ' AND ' : ' OR '
  return written.members
    .map((member) =>
      // Next to OR, a clause that only excludes would exclude from all others.
      member.kind === 'not' && written.kind === 'any' ? `(${writeQuery(member)})` : inParentheses(member),
    )
    .join(operator)
}

const inParentheses = (written: Written): string =>
  written.kind === 'all' || written.kind === 'any' ? `(${writeQuery(written)})` : writeQuery(written)
