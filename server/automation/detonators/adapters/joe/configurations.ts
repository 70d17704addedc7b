import { memberOf, type Part, partOf, partsOf, readDocument, textOf, textsOf } from '../document.ts'
import { addEndpoint, CONFIGURED, type Extracts, seen } from '../extracts.ts'

/** Where configurations name the servers that malware obeys. */
const SERVERS = ['C2 url', 'C2 urls', 'C2 list', 'C2 addresses', 'C2', 'C2 server', 'Download Url', 'Payload URL']
/** Where they name hosts that often belong to others, such as the provider of a mailbox. */
const HOSTS = ['Host', 'FTP Server', 'Server']

/** Adds the servers in extracted configurations, and returns the families that they belong to. */
export function addConfigurations(extracts: Extracts, analysis: Part): string[] {
  return partsOf(partOf(analysis, 'malware_configs'), 'config').flatMap((config) => {
    const values = valuesOf(config)
    for (const name of SERVERS) for (const each of textsOf(values, name)) addEndpoint(extracts, each, CONFIGURED)
    for (const name of HOSTS) for (const each of textsOf(values, name)) addEndpoint(extracts, each, seen('configured'))
    const family = textOf(config, '@threatname') ?? textOf(config, 'threatname')
    return family === null ? [] : [family]
  })
}

/** A configuration is the element itself, or JSON in its text. */
function valuesOf(config: Part): Part {
  const text = memberOf(config, '$') ?? memberOf(config, 'config')
  if (typeof text !== 'string') return typeof text === 'object' && text !== null ? partOf(config, 'config') : config
  try {
    return { ...readDocument(Buffer.from(text)), at: config.at, faults: config.faults }
  } catch {
    return config
  }
}
