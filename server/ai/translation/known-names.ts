import type { Context } from '../../engine/context.ts'
import type { Span } from '../../formats/text/scan.ts'
import { findEntities } from '../../text-analysis/names/find-entities.ts'
import { tokensOf } from '../../text-analysis/names/tokens.ts'

/** Types whose titles are proper names. Those of others, such as countries and reports, are translated. */
const NAMED = new Set([
  'campaign',
  'custom-entity',
  'exploit-target',
  'infrastructure',
  'intrusion-set',
  'malware',
  'threat-actor',
  'tool',
])

/** A name does not reach over it. */
const BETWEEN = '\n.\n'

/** Where each of these texts names entities that the caller sees. */
export async function knownNames(ctx: Context, texts: readonly string[]): Promise<Span[][]> {
  const joined = texts.join(BETWEEN)
  const { entities } = await findEntities(ctx, joined, tokensOf(joined))
  const mentions = entities.filter(({ type }) => NAMED.has(type)).flatMap((entity) => entity.mentions)
  let from = 0
  return texts.map((text) => {
    const [start, end] = [from, from + text.length]
    from = end + BETWEEN.length
    return mentions
      .filter((mention) => mention.start >= start && mention.end <= end)
      .map((mention) => ({ start: mention.start - start, end: mention.end - start }))
  })
}
