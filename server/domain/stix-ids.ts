/** Lower-case type names in STIX ids, and their entity types. */
const TYPES = new Map([
  ['attack-pattern', 'attack-pattern'],
  ['campaign', 'campaign'],
  ['coa', 'course-of-action'],
  ['course-of-action', 'course-of-action'],
  ['courseofaction', 'course-of-action'],
  ['custom-entity', 'custom-entity'],
  ['eclecticiq-sighting', 'vendor-sighting'],
  ['et', 'exploit-target'],
  ['exploit-target', 'exploit-target'],
  ['exploittarget', 'exploit-target'],
  ['grouping', 'report'],
  ['identity', 'identity'],
  ['incident', 'incident'],
  ['indicator', 'indicator'],
  ['infrastructure', 'infrastructure'],
  ['intrusion-set', 'intrusion-set'],
  ['location', 'location'],
  ['malware', 'malware'],
  ['malware-analysis', 'malware-analysis'],
  ['note', 'note'],
  ['observed-data', 'vendor-sighting'],
  ['opinion', 'note'],
  ['report', 'report'],
  ['sighting', 'vendor-sighting'],
  ['threat-actor', 'threat-actor'],
  ['threatactor', 'threat-actor'],
  ['tool', 'tool'],
  ['ttp', 'ttp'],
  ['vendor-sighting', 'vendor-sighting'],
  ['vulnerability', 'exploit-target'],
])

const UUID_LENGTH = 36
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const CUSTOM_TYPE = /^x-[a-z0-9-]*[a-z0-9]$/

// A document built in code may contain itself. These limits end the traversal before the stack overflows or it takes too long.
const DEPTH_LIMIT = 100
const NODE_LIMIT = 100_000

/** The STIX id of an entity: its namespace in braces, its type, its UUID. */
export const makeStixId = (namespace: string, type: string, uuid: string): string => `{${namespace}}${type}-${uuid}`

/** Returns the entity type for a lower-case STIX type name; undefined if there is none. */
export const typeNamed = (name: string): string | undefined => TYPES.get(name)

/** Returns the entity type of a STIX id in STIX 1, STIX 2 or our own form; undefined if there is none. */
export function typeOfStixId(id: string): string | undefined {
  const end = id.length - UUID_LENGTH - 1
  if (end < 1 || id.charAt(end) !== '-' || !UUID.test(id.slice(end + 1))) return undefined
  const start = endOfNamespace(id, end)
  const name = id.slice(start, id.charAt(end - 1) === '-' ? end - 1 : end).toLowerCase()
  return TYPES.get(name) ?? (CUSTOM_TYPE.test(name) ? 'custom-entity' : undefined)
}

/** Returns the distinct STIX ids of entities that a document references, in document order. */
export function referencedIds(data: Record<string, unknown>): string[] {
  const walk: Walk = { own: data.id, ids: undefined, nodes: 0 }
  visitObject(data, 0, walk)
  return walk.ids ? [...walk.ids] : []
}

interface Walk {
  readonly own: unknown
  ids: Set<string> | undefined
  nodes: number
}

/** Returns where the type name starts: after `{namespace}`, `prefix:` or the last segment of a bare namespace URL. */
function endOfNamespace(id: string, end: number): number {
  for (let at = end - 1; at >= 0; at--) {
    const character = id.charAt(at)
    if (character === '}' || character === ':' || character === '/' || character === '#') return at + 1
  }
  return 0
}

function visitObject(node: Record<string, unknown>, depth: number, walk: Walk): void {
  if (depth > DEPTH_LIMIT || walk.nodes++ > NODE_LIMIT) return
  for (const key in node) {
    const value = node[key]
    if (typeof value === 'string') {
      if (isReference(key)) collect(value, walk)
    } else if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) visitList(value, isReference(key), depth + 1, walk)
      else visitObject(value as Record<string, unknown>, depth + 1, walk)
    }
  }
}

function visitList(list: readonly unknown[], isOfReferences: boolean, depth: number, walk: Walk): void {
  if (depth > DEPTH_LIMIT || walk.nodes++ > NODE_LIMIT) return
  for (const value of list) {
    if (typeof value === 'string') {
      if (isOfReferences) collect(value, walk)
    } else if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) visitList(value, isOfReferences, depth + 1, walk)
      else visitObject(value as Record<string, unknown>, depth + 1, walk)
    }
  }
}

const isReference = (key: string): boolean => key.endsWith('_ref') || key.endsWith('_refs') || key === 'idref'

function collect(id: string, walk: Walk): void {
  if (id === walk.own || typeOfStixId(id) === undefined) return
  walk.ids ??= new Set()
  walk.ids.add(id)
}
