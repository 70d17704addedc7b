import { z } from 'zod'
import { recordOf } from './shape.ts'
import { documented, fromVocabulary } from './vocabulary.ts'

/** The hash algorithms that can be used without naming a vocabulary. */
export const HASH_TYPES = ['MD5', 'MD6', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SSDEEP'] as const

/** The ways to compare a value with an observed one. */
export const CONDITIONS = [
  'Equals',
  'DoesNotEqual',
  'Contains',
  'DoesNotContain',
  'StartsWith',
  'EndsWith',
  'GreaterThan',
  'GreaterThanOrEqual',
  'LessThan',
  'LessThanOrEqual',
  'InclusiveBetween',
  'ExclusiveBetween',
  'FitsPattern',
  'BitwiseAnd',
  'BitwiseOr',
  'BitwiseXor',
] as const

/** A hash and the condition under which it matches. */
export const hash = recordOf(
  { type: z.literal('hash'), hash_type: documented(HASH_TYPES), value: z.string() },
  {
    hash_type_vocab: z.string(),
    apply_condition: z.enum(['ALL', 'ANY', 'NONE']),
    condition: z.enum(CONDITIONS),
    pattern_type: z.enum(['Regex', 'Binary', 'XPath']),
    bit_mask: z.string().regex(/^(?:[0-9a-f]{2})+$/i, 'must be pairs of hexadecimal digits'),
    delimiter: z.string(),
    has_changed: z.boolean(),
    is_case_sensitive: z.boolean(),
    regex_syntax: z.string(),
    trend: z.boolean(),
  },
).check(fromVocabulary(HASH_TYPES, 'hash_type', 'hash_type_vocab'))
