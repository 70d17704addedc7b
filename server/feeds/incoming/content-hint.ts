import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { READABLE_URNS, readableUrnOf } from '../../formats/formats.ts'

/** The content type that the owner of a feed declares: any spelling of a readable type, converted to its URN. */
export const contentHint = string(1, 200).transform((text, check): string => {
  const urn = readableUrnOf(text)
  if (urn !== undefined) return urn
  check.addIssue({ code: 'custom', message: `must be one of ${READABLE_URNS.join(', ')}` })
  return z.NEVER
})
