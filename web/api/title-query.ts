import { refang } from '../../server/domain/observables/refang.ts'

/** More words than this say nothing more. */
const MOST_WORDS = 20

/** A word as titles are split into them: a dot between two letters or two digits is a part of it, as in `evil.example`. */
const WORD = /(?:[\p{L}\p{N}_]|(?<=\p{L})\.(?=\p{L})|(?<=\p{N})\.(?=\p{N}))+/gu

/** A query for entities that have words beginning like all of what is typed in their title; undefined where there is no word. */
export function titleQuery(typed: string): string | undefined {
  const words = refang(typed).match(WORD)?.slice(0, MOST_WORDS)
  return words?.map((word) => `meta.title:${word.toLowerCase()}*`).join(' AND ')
}
