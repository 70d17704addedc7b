import { refang } from '../../server/domain/observables/refang.ts'

/** Words beyond this number are ignored. */
const MAX_WORDS = 20

/** A word as the server splits titles: a dot between two letters or two digits is part of it, as in `evil.example`. */
const WORD = /(?:[\p{L}\p{N}_]|(?<=\p{L})\.(?=\p{L})|(?<=\p{N})\.(?=\p{N}))+/gu

/** A query for entities whose title contains words starting with each typed word; undefined if there are none. */
export function titleQuery(typed: string): string | undefined {
  const words = refang(typed).match(WORD)?.slice(0, MAX_WORDS)
  return words?.map((word) => `meta.title:${word.toLowerCase()}*`).join(' AND ')
}
