import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { READABLE_URNS, readableUrnOf } from '../../formats/formats.ts'

/** What a feed brings, as its owner says: any spelling of a content type that can be read, in its usual one. */
export const contentHint = string(1, 200).transform((text, check): string => {
  const urn = readableUrnOf(text)
  if (urn !== undefined) return urn
  check.addIssue({ code: 'custom', message: `must be one of ${READABLE_URNS.join(', ')}` })
  return z.NEVER
})
