import { isRecord } from '../../domain/record.ts'
import type { FoundObservable, Origin } from '../finding.ts'
import { partsOf, uuidOf } from './ids.ts'
import { fits } from './kinds.ts'
import { type Fields, isSameJson, type StixObject, textsIn } from './stix-object.ts'

const MADE = '2026-01-01T00:00:00.000Z'

/** The id of the extension that holds what the platform knows of an object and STIX has no place for. */
export const EXTENSION_ID = `extension-definition--${uuidOf('extension of Corvus')}`

/** Who defines the extension. It also stands where STIX asks for a reference and there is none. */
export const CORVUS: StixObject = {
  type: 'identity',
  spec_version: '2.1',
  id: `identity--${uuidOf('Corvus')}`,
  created: MADE,
  modified: MADE,
  name: 'Corvus',
  identity_class: 'system',
  description: 'The threat intelligence platform that wrote this bundle.',
}

/** What the extension is, for who reads the bundle. */
export const EXTENSION_DEFINITION: StixObject = {
  type: 'extension-definition',
  spec_version: '2.1',
  id: EXTENSION_ID,
  created: MADE,
  modified: MADE,
  created_by_ref: CORVUS.id,
  name: 'Corvus',
  description:
    'What an entity of the platform says beyond STIX, so that a platform which reads it has the same entity.',
  schema: 'docs/formats.md',
  version: '1.0',
  extension_types: ['new-sco', 'property-extension'],
}

/** An observable in the extension; `ref` names the object that was written for it alone. */
export interface ExtendedObservable extends FoundObservable {
  readonly ref?: string | undefined
}

/** What the extension says of an object. */
export interface Extension {
  /** Properties of the entity's data that cannot be read off the object. */
  readonly data?: Fields | undefined
  /** Properties that would be read off the object, and that the entity does not have. */
  readonly absent?: readonly string[] | undefined
  readonly meta?: Fields | undefined
  readonly observables?: readonly ExtendedObservable[] | undefined
  /** Objects that were written only because STIX requires one there. */
  readonly fillers?: readonly string[] | undefined
  /** Objects of documents that are kept with the entity and are no valid STIX. */
  readonly kept?: readonly StixObject[] | undefined
  /** The UUID of a relationship, where that cannot stand in an id of STIX. */
  readonly uuid?: string | undefined
  /** The ids that the ends of a relationship have in the platform, where those cannot stand in STIX: the entities may come apart from it. */
  readonly ends?: Readonly<Partial<Record<'source' | 'target', string>>> | undefined
}

/** What our extension says of an object, and the object without it; undefined where it has none. */
export function takeExtension(object: StixObject): { readonly object: StixObject; readonly extension?: Extension } {
  const extensions = isRecord(object.extensions) ? object.extensions : {}
  const ours = Object.hasOwn(extensions, EXTENSION_ID) ? extensions[EXTENSION_ID] : undefined
  if (!isRecord(ours)) return { object }
  const { [EXTENSION_ID]: _, ...others } = extensions
  const { extensions: __, ...plain } = object
  const without = Object.keys(others).length > 0 ? { ...plain, extensions: others } : plain
  const extension = {
    data: isRecord(ours.data) ? ours.data : undefined,
    absent: textsIn(ours.absent),
    meta: isRecord(ours.meta) ? ours.meta : undefined,
    observables: Array.isArray(ours.observables) ? ours.observables.flatMap(observableIn) : [],
    fillers: textsIn(ours.fillers),
    kept: Array.isArray(ours.kept) ? ours.kept.filter(isStixObject) : [],
    uuid: typeof ours.uuid === 'string' ? ours.uuid : undefined,
    ends: endsIn(ours.ends),
  }
  return { object: without as StixObject, extension }
}

/** An object with our extension, where there is anything to say. */
export function giveExtension(object: Fields, extension: Extension): Fields {
  const { data, absent, meta, observables, fillers, kept, uuid, ends } = extension
  const parts = {
    ...(uuid !== undefined && { uuid }),
    ...(ends && Object.keys(ends).length > 0 && { ends }),
    ...(data && Object.keys(data).length > 0 && { data }),
    ...(absent && absent.length > 0 && { absent }),
    ...(meta && Object.keys(meta).length > 0 && { meta }),
    ...(observables && observables.length > 0 && { observables }),
    ...(fillers && fillers.length > 0 && { fillers }),
    ...(kept && kept.length > 0 && { kept }),
  }
  if (Object.keys(parts).length === 0) return object
  const extensions = isRecord(object.extensions) ? object.extensions : {}
  return {
    ...object,
    extensions: { ...extensions, [EXTENSION_ID]: { extension_type: 'property-extension', ...parts } },
  }
}

/** The objects that were written for an extended one alone, and are made again with it. */
export const madeWith = ({ observables = [], fillers = [] }: Extension): string[] => [
  ...observables.flatMap(({ ref }) => ref ?? []),
  ...fillers,
]

/** When an object was created and its version made, where those are no properties of what it stands for. */
export function originOf({ created, modified }: StixObject, extension: Extension | undefined): Origin | undefined {
  const isAbsent = (name: string, time: unknown): time is string =>
    extension?.absent?.includes(name) === true && fits('time', time)
  const origin = {
    ...(isAbsent('created', created) && { created }),
    ...(isAbsent('modified', modified) && { modified }),
  }
  return Object.keys(origin).length > 0 ? origin : undefined
}

/** What an extension has to say so that what is read becomes what is meant. */
export function difference(meant: Fields, read: Fields): Pick<Extension, 'data' | 'absent'> {
  const names = Object.keys(meant).filter((name) => meant[name] !== undefined && !isSameJson(meant[name], read[name]))
  return {
    data: Object.fromEntries(names.map((name) => [name, meant[name]])),
    absent: Object.keys(read).filter((name) => read[name] !== undefined && meant[name] === undefined),
  }
}

function endsIn(value: unknown): Extension['ends'] {
  if (!isRecord(value)) return undefined
  const { source, target } = value
  return { ...(typeof source === 'string' && { source }), ...(typeof target === 'string' && { target }) }
}

const isStixObject = (value: unknown): value is StixObject =>
  isRecord(value) && typeof value.type === 'string' && partsOf(value.id)?.type === value.type

function observableIn(value: unknown): ExtendedObservable[] {
  if (!isRecord(value)) return []
  const { type, value: text, maliciousness, link_type, ref } = value
  if (typeof type !== 'string' || typeof text !== 'string') return []
  return [
    {
      type,
      value: text,
      ...(isMaliciousness(maliciousness) && { maliciousness }),
      ...(typeof link_type === 'string' && link_type.length <= 100 && { link_type }),
      ...(typeof ref === 'string' && { ref }),
    },
  ]
}

const isMaliciousness = (value: unknown): value is NonNullable<FoundObservable['maliciousness']> =>
  value === 'unknown' || value === 'safe' || value === 'low' || value === 'medium' || value === 'high'
