import { replaced, untouched } from '../../formats/text/layer.ts'
import { type UnverifiedValue, unverifiedValues } from './unverified-values.ts'

const TAG_OR_ENTITY = /<\/?([a-z][a-z\d]{0,15})(?![a-z\d])[^<>]*>|&(amp|lt|gt|quot);/g
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Elements that stand within a line; others end it. */
const INLINE = new Set('abbr b cite code dfn del em i ins kbd mark q s samp small span strong sub sup u var'.split(' '))

/** The unverified values in sanitised HTML, with their places in it. A value may contain tags: `evil<b>.com</b>`. */
export function unverifiedInHtml(html: string, inputs: readonly string[]): readonly UnverifiedValue[] {
  const seen = replaced(untouched(html), TAG_OR_ENTITY, ([, tag, entity]) =>
    entity === undefined ? (INLINE.has(tag ?? '') ? '' : '\n') : CHARACTERS[entity],
  )
  return unverifiedValues(seen.text, inputs).map(({ value, start, end }) => ({ value, ...seen.sourceOf(start, end) }))
}
