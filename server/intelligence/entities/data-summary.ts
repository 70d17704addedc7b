import { embeddedAttachments } from '../../domain/embedded-images.ts'
import { referencedIds } from '../../domain/stix-ids.ts'
import type { Item } from '../../engine/context.ts'

/** The parts of an entity's data that a write needs after the data was stored. */
export interface DataSummary {
  readonly title: unknown
  readonly isWithdrawn: boolean
  /** The STIX ids it refers to. */
  readonly references: readonly string[]
  readonly embeds: readonly Embed[]
}

/** An attachment that a text shows as an image. */
export interface Embed {
  readonly field: string
  readonly attachment: string
}

export const summaryOf = (data: Item): DataSummary => ({
  title: data.title,
  isWithdrawn: data.revoked === true,
  references: referencedIds(data),
  embeds: embedsIn(data),
})

const EMBEDDING = ['description', 'short_description'] as const

const NONE: readonly Embed[] = []

function embedsIn(data: Item): readonly Embed[] {
  let embeds: Embed[] | undefined
  for (const field of EMBEDDING) {
    const text = data[field]
    if (typeof text !== 'string') continue
    for (const attachment of embeddedAttachments(text)) {
      embeds ??= []
      embeds.push({ field, attachment })
    }
  }
  return embeds ?? NONE
}
