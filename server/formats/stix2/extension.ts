import { isRecord } from '../../domain/record.ts'
import type { FoundObservable, Origin } from '../finding.ts'
import { partsOf, uuidOf } from './ids.ts'
import { fits } from './kinds.ts'
import { type Fields, isSameJson, type StixObject, textsIn } from './stix-object.ts'

const MADE = '2026-01-01T00:00:00.000Z'

/** The id of the extension that holds what the platform stores about an object and STIX cannot express. */
export const EXTENSION_ID = `extension-definition--${uuidOf('extension of Corvus')}`

/** The identity that defines the extension. It also serves as the target of required references that would otherwise be empty. */
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

/** The definition of the extension, for consumers of the bundle. */
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

/** An observable in the extension; `ref` is the id of the object that was written only for it. */
export interface ExtendedObservable extends FoundObservable {
  readonly ref?: string | undefined
}

/** The contents of the extension of an object. */
export interface Extension {
  /** Properties of the entity's data that cannot be derived from the object. */
  readonly data?: Fields | undefined
  /** Properties that would be derived from the object but that the entity does not have. */
  readonly absent?: readonly string[] | undefined
  readonly meta?: Fields | undefined
  readonly observables?: readonly ExtendedObservable[] | undefined
  /** Objects that were written only because STIX requires a reference. */
  readonly fillers?: readonly string[] | undefined
  /** Objects kept with the entity that are not valid STIX. */
  readonly kept?: readonly StixObject[] | undefined
  /** The UUID of a relationship whose UUID is not valid in a STIX id. */
  readonly uuid?: string | undefined
  /** The platform ids of the ends of a relationship where those are not valid in STIX. The entities may arrive in another document. */
  readonly ends?: Readonly<Partial<Record<'source' | 'target', string>>> | undefined
}

/** Separates our extension from an object. `extension` is undefined if the object has none. */
export function separateExtension(object: StixObject): { readonly object: StixObject; readonly extension?: Extension } {
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

/** Adds our extension to an object if it has any contents. */
export function withExtension(object: Fields, extension: Extension): Fields {
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

/** The objects that were written only for an extended object, and that are created again with it. */
export const generatedIds = ({ observables = [], fillers = [] }: Extension): string[] => [
  ...observables.flatMap(({ ref }) => ref ?? []),
  ...fillers,
]

/** The creation and modification times of an object, unless they are properties of the resulting entity. */
export function originOf({ created, modified }: StixObject, extension: Extension | undefined): Origin | undefined {
  const isAbsent = (name: string, time: unknown): time is string =>
    extension?.absent?.includes(name) === true && fits('time', time)
  const origin = {
    ...(isAbsent('created', created) && { created }),
    ...(isAbsent('modified', modified) && { modified }),
  }
  return Object.keys(origin).length > 0 ? origin : undefined
}

/** Computes what the extension must contain so that reading the object gives the intended data. */
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
