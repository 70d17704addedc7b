import type { EnricherFunction } from '../function.ts'
import { dns } from './dns/dns.ts'
import { MISP_MODULE, mispModule, mispModules } from './misp-module/misp-module.ts'
import { ownService } from './own-service.ts'
import { rdap } from './rdap/rdap.ts'
import { shippedDefinitions } from './shipped.ts'
import { tableFunctions } from './table/table-functions.ts'

export { type ParsedDefinition, parseDefinition } from './http/define.ts'

/** The functions that come with the platform. */
export const functions: readonly EnricherFunction[] = [
  ownService,
  dns,
  rdap,
  ...tableFunctions,
  ...mispModules,
  ...shippedDefinitions,
]

/** The function of the platform with a name. */
export const functionNamed = (name: string): EnricherFunction | undefined =>
  functions.find((known) => known.name === name) ??
  (name.startsWith(MISP_MODULE) ? mispModule(name.slice(MISP_MODULE.length)) : undefined)
