import { z } from 'zod'
import type { Collection } from '../collections.ts'
import { textFrom } from '../domain/text-from.ts'
import { attributeOf, type Link, toId } from './reference.ts'
import type { LinkAttribute } from './storage.ts'

const reference = z.union([z.string(), z.int(), z.looseObject({})], {
  error: ({ input }) => (input === undefined ? 'is required' : 'must be an id or a URL'),
})

/** The collections that references in schemas lead to, for those who read schemas. */
export const linkTargets = z.registry<{ readonly collection: Collection }>()

/** A reference as clients send it: id, URL, path, or an object that names it by `id` or `…_id`. */
export function link(to: Collection, attribute?: LinkAttribute) {
  const schema = reference.transform((value, check): Link => {
    const named = typeof value === 'object' ? Object.entries(value).find(([key]) => /(^|_)id$/.test(key))?.[1] : value
    const id = toId(to, named)
    if (id === undefined) {
      check.addIssue({
        code: 'custom',
        message: `'${textFrom(named).slice(0, 80)}' is not the id or URL of one of ${to}`,
      })
      return z.NEVER
    }
    if (!attribute) return { id }
    const given = attributeOf(named, attribute.name) ?? attribute.default
    if (!attribute.values.includes(given)) {
      check.addIssue({ code: 'custom', message: `${attribute.name} must be one of ${attribute.values.join(', ')}` })
      return z.NEVER
    }
    return { id, attribute: given }
  })
  return schema.register(linkTargets, { collection: to })
}
