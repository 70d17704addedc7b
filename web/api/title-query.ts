/** More words than this say nothing more. */
const MOST_WORDS = 20

/** A query for entities that have words beginning like all of what is typed in their title; undefined where there is no word. */
export function titleQuery(typed: string): string | undefined {
  const words = typed.match(/[\p{L}\p{N}_]+/gu)?.slice(0, MOST_WORDS)
  return words?.map((word) => `meta.title:${word.toLowerCase()}*`).join(' AND ')
}
