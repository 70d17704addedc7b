import type { Cast } from './cast.ts'
import type { Random } from './random.ts'
import { bodySentences, commonOpenings, plainOpenings } from './sentences.ts'
import { withArticles } from './template.ts'

/** A word that occurs in about 70 % of the descriptions. */
export const COMMON_WORD = 'activity'

/** A description of a minimum length in characters, at most one sentence longer; no sentence repeats. */
export function proseOf(random: Random, cast: Cast, length: number): string {
  const openings = random.chance(70) ? commonOpenings : plainOpenings
  let text = random.pick(openings)(random, cast)
  const count = bodySentences.length
  const stride = 1 + random.below(count - 1)
  let place = random.below(count)
  for (let i = 0; i < count && text.length < length; i++) {
    place = (place + stride) % count
    const sentence = bodySentences[place]?.(random, cast) ?? ''
    text += random.chance(15) ? `\n\n${sentence}` : ` ${sentence}`
  }
  return withArticles(text)
}
