import type { LayerTechnique } from './layer.ts'

/** Joins texts without repeating one. */
export const joinTexts = (texts: readonly (string | undefined)[]): string =>
  [...new Set(texts.filter((text) => text !== undefined && text !== ''))].join('\n\n')

/** What stands for several techniques of a layer: their comments, metadata and links, and the highest score. Of other members, the first one counts. */
export function mergeTechniques(all: readonly LayerTechnique[]): LayerTechnique {
  const [first, ...others] = all
  if (!first) throw new TypeError('There is nothing to merge.')
  if (others.length === 0) return first
  const merged: LayerTechnique = Object.assign({}, ...all.toReversed())
  const scores = all.flatMap(({ score }) => (score === undefined ? [] : [score]))
  const colour = all.find(({ color }) => color)?.color
  const given: Partial<LayerTechnique> = {
    ...(scores.length > 0 && { score: Math.max(...scores) }),
    ...(colour && { color: colour }),
    ...(all.some(({ comment }) => comment !== undefined) && { comment: joinTexts(all.map(({ comment }) => comment)) }),
    // One that is not disabled shows the node.
    ...(all.some(({ enabled }) => enabled !== undefined) && { enabled: all.some(({ enabled }) => enabled !== false) }),
    ...(all.some(({ metadata }) => metadata) && { metadata: distinct(all.flatMap(({ metadata }) => metadata ?? [])) }),
    ...(all.some(({ links }) => links) && { links: distinct(all.flatMap(({ links }) => links ?? [])) }),
  }
  return Object.assign(merged, given)
}

/** Dividers may repeat. */
function distinct<T extends { readonly divider?: boolean | undefined }>(list: readonly T[]): T[] {
  const seen = new Set<string>()
  return list.filter((each) => {
    const text = JSON.stringify(each)
    if (each.divider === undefined && seen.has(text)) return false
    seen.add(text)
    return true
  })
}
