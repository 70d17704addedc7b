import type { KeptObject } from './finding.ts'

type Json = Readonly<Record<string, unknown>>

/** Where something comes from. */
export interface ShippedSource {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** An observable on its way out. */
export interface ShippedObservable {
  readonly id: number
  readonly type: string
  readonly value: string
  /** What is said of it: `maliciousness`. */
  readonly meta: Json
  readonly created_at: string
  readonly last_updated_at: string
  readonly sources: readonly ShippedSource[]
  /** What the entity has to do with it, where that is said. */
  readonly link_type: string | null
}

/** An attachment on its way out; its bytes are read when they are wanted. */
export interface ShippedAttachment {
  readonly id: string
  readonly filename: string
  readonly size: number
  readonly content_type: string
  readonly sha256: string
  readonly meta: Json
  open(): AsyncIterable<Buffer>
}

/** An entity on its way out, as far as the caller may see it. */
export interface ShippedEntity {
  /** The id in the platform; the STIX id is `data.id`. */
  readonly id: string
  readonly data: Json & { readonly id: string; readonly type: string; readonly title: string }
  /** As answers have it, with computed fields; taxonomies are ids there. */
  readonly meta: Json & { readonly tlp_color?: string | null; readonly tags?: readonly string[] }
  /** The names of each taxonomy from its root. */
  readonly taxonomy_paths: readonly (readonly string[])[]
  readonly relevancy: number
  readonly sources: readonly ShippedSource[]
  readonly created_at: string
  readonly last_updated_at: string
  /** When it was created and when its version was made, here or where it came from. */
  readonly created: string
  readonly modified: string
  /** Whether consumers may hold a revoked version of it that it does not have by itself. */
  readonly was_withdrawn?: boolean
  readonly observables: readonly ShippedObservable[]
  readonly attachments: readonly ShippedAttachment[]
  readonly kept: readonly KeptObject[]
}

/** A relationship on its way out, between two entities that both go out, or are only known by the STIX ids that it has. */
export interface ShippedRelationship {
  readonly id: string
  /** With `source` and `target` as STIX ids, `key`, `subtype`, `description` and whatever else it was sent with. */
  readonly data: Json & { readonly source: string; readonly target: string; readonly key: string }
  /** The types of the entities at its ends. */
  readonly source_type: string
  readonly target_type: string
  readonly meta: Json & { readonly tlp_color?: string | null }
  readonly sources: readonly ShippedSource[]
  readonly created_at: string
  readonly last_updated_at: string
  /** As for entities. */
  readonly created: string
  readonly modified: string
}

/** What goes out, as the database gives it in pieces; it may be read more than once. */
export interface Shipment {
  /** When it was put together. */
  readonly at: string
  /** The public address of the installation, without a slash at its end. */
  readonly baseUrl: string
  /** The namespace of ids that the installation gives, and who produces its documents. */
  readonly producer: { readonly namespace: string; readonly alias: string; readonly name: string }
  /** With types, only entities of these: whoever sorts them by type need not read all of them for each. */
  entities(types?: ReadonlySet<string>): AsyncIterable<ShippedEntity>
  relationships(): AsyncIterable<ShippedRelationship>
}

/** Writes a shipment in one format, piece by piece. `lose` is told of whatever the format has no place for. */
export type Writer = (shipment: Shipment, lose: (id: string, loss: string) => void) => AsyncIterable<string | Buffer>
