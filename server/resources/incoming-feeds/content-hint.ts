import { contentTypeOf } from '../../domain/content-types.ts'
import { string } from '../../engine/field.ts'

const URN = /^urn:[a-z0-9][a-z0-9.-]{0,100}:\S+$/

/**
 * What a feed brings, as its owner says: any spelling of a content type, in its usual one. Others have URNs of their own, which
 * are kept as they came and tell nothing here.
 */
export const contentHint = string(1, 200)
  .trim()
  .refine((text) => URN.test(text.toLowerCase()), 'must be a content type such as urn:oasis:stix:json:2.1')
  .transform((text) => contentTypeOf(text)?.urn ?? text)
