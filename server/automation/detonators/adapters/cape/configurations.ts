import { namedPartsOf, type Part, partOf, partsOf, textsOf } from '../document.ts'
import { addEndpoint, addValue, CONFIGURED, type Extracts } from '../extracts.ts'

/** Where the extractors of CAPE put the servers that malware obeys; older ones have names of their own. */
const SERVERS = ['CNCs', 'CNC', 'C2', 'C2s', 'c2', 'C2 address', 'C2 URLs', 'address', 'Address', 'URL', 'URLs', 'urls']
const MUTEXES = ['mutex', 'Mutex']
const USER_AGENTS = ['user_agent', 'User Agent', 'UserAgent']

/** Adds the servers and marks in extracted configurations, and returns the families that they belong to. */
export function addConfigurations(extracts: Extracts, document: Part): string[] {
  return partsOf(partOf(document, 'CAPE'), 'configs').flatMap((config) =>
    namedPartsOf(config).flatMap(([family, values]) => {
      // Members with an underscore describe from which files the configuration came.
      if (family.startsWith('_')) return []
      for (const name of SERVERS) for (const each of textsOf(values, name)) addEndpoint(extracts, each, CONFIGURED)
      for (const name of MUTEXES)
        for (const each of textsOf(values, name))
          addValue(extracts, 'mutex', each, { ...CONFIGURED, confidence: 'medium' })
      // A user agent is often that of a browser, copied.
      for (const name of USER_AGENTS)
        for (const each of textsOf(values, name))
          addValue(extracts, 'user-agent', each, {
            classification: 'unknown',
            confidence: 'low',
            link_type: 'configured',
          })
      return [family]
    }),
  )
}
