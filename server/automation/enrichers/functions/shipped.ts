import { readdirSync, readFileSync } from 'node:fs'
import type { EnricherFunction } from '../function.ts'
import { parseDefinition } from './http/define.ts'

const folder = new URL('./definitions/', import.meta.url)

/** The definitions that come with the platform: a file each. They are read once, when the server starts. */
export const shippedDefinitions: readonly EnricherFunction[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => {
    const parsed = parseDefinition(
      file.slice(0, -'.json'.length),
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
    )
    if ('faults' in parsed) throw new Error(`The definition ${file} is not valid: ${parsed.faults.join('; ')}`)
    return parsed.function
  })
