import { observableTypeOf } from '../../domain/observables/types.ts'
import { type JsonSigns, signsOf } from './json-signs.ts'

type JsonKind = 'stix-2' | 'platform-json' | 'misp' | 'misp-galaxy' | 'json'

const STIX_ID = /^[a-z][a-z0-9-]*--[0-9a-f]{8}-/i
const PLATFORM_URN = /^urn:[^:\s]{1,100}:json:/i

/** Returns the kind of a text that is JSON, or was meant to be; otherwise undefined. */
export function jsonKind(text: string): JsonKind | undefined {
  const signs = signsOf(text)
  if (!signs) return undefined
  return KINDS.find(([, isOfKind]) => isOfKind(signs))?.[0] ?? 'json'
}

const KINDS: readonly (readonly [JsonKind, (signs: JsonSigns) => boolean])[] = [
  ['stix-2', isSurelyStix],
  ['misp-galaxy', isMispGalaxy],
  ['misp', isMisp],
  ['platform-json', isPlatformJson],
  ['stix-2', isStix],
  ['platform-json', isListOfObservables],
]

/** Clusters of one galaxy in a file of the public collection, or of any galaxy in a MISP export. */
function isMispGalaxy({ has, text, isEmptyList }: JsonSigns): boolean {
  const isFile = (has('values[].value') || isEmptyList('values')) && text('type') !== undefined && has('uuid')
  return isFile || ['[].GalaxyCluster.value', '[].GalaxyElement'].some(has)
}

/** A bundle, or objects whose ids match their types. */
function isSurelyStix({ text }: JsonSigns): boolean {
  const isObject = (where: string): boolean => {
    const id = text(`${where}id`) ?? ''
    return STIX_ID.test(id) && text(`${where}type`) === id.slice(0, id.indexOf('--'))
  }
  const isBundle = text('type') === 'bundle' && (text('id') ?? 'bundle--').startsWith('bundle--')
  return isBundle || isObject('') || isObject('[].') || isObject('objects[].')
}

/** Single events, lists of events and server responses. An older form has no wrapper. */
function isMisp({ has }: JsonSigns): boolean {
  const isWrapped = ['Event', 'response[].Event', 'response.Event', '[].Event', '[].response.Event'].some(has)
  return (
    isWrapped || ((has('Attribute') || has('Object')) && has('info') && (has('uuid') || has('orgc_id') || has('Orgc')))
  )
}

/** A platform entity has its type in `data`, whatever the wrapper. */
function isPlatformJson({ has, text }: JsonSigns): boolean {
  if (PLATFORM_URN.test(text('content_type') ?? '')) return true
  return ['entities[].', 'data[].', '[].', '', 'data.', 'objects[].'].some(
    (where) => has(`${where}data.type`) && (has(`${where}data.title`) || has(`${where}meta`) || has(`${where}data.id`)),
  )
}

/** A list of observables. Those of STIX have ids. */
function isListOfObservables({ text }: JsonSigns): boolean {
  return ['', '[].', 'data[].', 'data.', 'observables[].'].some(
    (where) => observableTypeOf(text(`${where}type`) ?? '') !== undefined && text(`${where}value`) !== undefined,
  )
}

function isStix({ has, text, isEmptyList }: JsonSigns): boolean {
  if (text('type') === 'bundle' || /^2\.\d/.test(text('spec_version') ?? '')) return true
  if (
    has('objects') &&
    (isEmptyList('objects') || ['objects[].type', 'objects[].id', 'objects[].spec_version'].some(has))
  ) {
    return true
  }
  return ['', '[].'].some(
    (where) =>
      has(`${where}type`) && (STIX_ID.test(text(`${where}id`) ?? '') || text(`${where}spec_version`) !== undefined),
  )
}
