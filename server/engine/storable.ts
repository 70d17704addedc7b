import type { z } from 'zod'

const storable = new WeakSet<object>()
let isStorable = false

/** Notes that nothing in a body can be unstorable: its text has none of the escapes that such characters need. */
export function noteStorable(body: unknown): void {
  if (typeof body === 'object' && body !== null) storable.add(body)
}

/** Reads a body; what is known of its text needs not to be looked for again in every part of it. */
export function reading<T>(body: unknown, read: () => T): T {
  isStorable = typeof body === 'object' && body !== null && storable.has(body)
  try {
    return read()
  } finally {
    isStorable = false
  }
}

/** Refuses text that PostgreSQL cannot store, wherever it is in a document: the database would not say where. */
export const refuseUnstorable: z.core.CheckFn<unknown> = ({ value, issues }) => {
  if (isStorable) return
  const fault = faultIn(value)
  if (fault) issues.push({ code: 'custom', input: value, ...fault })
}

interface Fault {
  readonly path: PropertyKey[]
  readonly message: string
}

/** The first fault; its path is put together only where there is one. */
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
  for (const [key, inner] of Object.entries(value)) {
    const ofKey = textFault(key)
    if (ofKey) return { ...ofKey, message: `has a property whose name ${ofKey.message}` }
    const fault = faultIn(inner)
    if (fault) return { ...fault, path: [key, ...fault.path] }
  }
  return undefined
}

function textFault(text: string): Fault | undefined {
  if (text.includes('\u0000')) return { path: [], message: 'must not contain the NUL character' }
  if (!text.isWellFormed()) return { path: [], message: 'must not contain half of a surrogate pair' }
  return undefined
}
