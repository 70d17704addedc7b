import type { z } from 'zod'

/** Whether PostgreSQL can store all texts in a document. */
export const isStorable = (value: unknown): boolean => faultIn(value) === undefined

/** Refuses text that PostgreSQL cannot store anywhere in a document; the error of the database would not say where. */
export const refuseUnstorable: z.core.CheckFn<unknown> = ({ value, issues }) => {
  const fault = faultIn(value)
  if (fault) issues.push({ code: 'custom', input: value, ...fault })
}

interface Fault {
  readonly path: PropertyKey[]
  readonly message: string
}

/** The first error; its path is built only if there is one. */
function faultIn(value: unknown): Fault | undefined {
  if (typeof value === 'string') return textFault(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const fault = faultIn(value[i])
      if (fault) return { ...fault, path: [i, ...fault.path] }
    }
    return undefined
  }
  for (const key in value) {
    const ofKey = textFault(key)
    if (ofKey) return { ...ofKey, message: `has a property whose name ${ofKey.message}` }
    const fault = faultIn((value as Record<string, unknown>)[key])
    if (fault) return { ...fault, path: [key, ...fault.path] }
  }
  return undefined
}

function textFault(text: string): Fault | undefined {
  if (text.includes('\u0000')) return { path: [], message: 'must not contain the NUL character' }
  if (!text.isWellFormed()) return { path: [], message: 'must not contain half of a surrogate pair' }
  return undefined
}
