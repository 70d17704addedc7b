import type { Holdings } from './holdings.ts'

/** The TLP colours that can be sent; null is sent as such, undefined not at all. */
export const COLOURS = [null, undefined, 'NONE', 'WHITE', 'CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'] as const
export type Colour = (typeof COLOURS)[number]

/** The TLP colours up to which a group may be allowed a source. */
export const ALLOWED = ['NONE', 'WHITE', 'GREEN', 'AMBER', 'RED'] as const
export type Ceiling = (typeof ALLOWED)[number]
export const OBSERVABLE_TYPES = ['domain', 'email', 'uri', 'handle', 'file'] as const

/** The possible verdicts on an observable. */
export const VERDICTS = ['unknown', 'safe', 'low', 'medium', 'high'] as const
export type Verdict = (typeof VERDICTS)[number]

/** The two users whose views are compared with the model. */
export const VIEWERS = ['ann', 'bob'] as const
export type Viewer = (typeof VIEWERS)[number]
/** A user of a world. */
export type Person = Viewer | 'writer'

/** Tags, taxonomies and nodes of attack frameworks that all worlds share. */
export const SHARED_TAGS = ['shared', 'also shared'] as const
export const TAXONOMIES = ['sector', 'sector/finance', 'region'] as const
/** A node that a load of its matrix revokes, with a review, in the database of all worlds. */
export const REVOKED = 'TA0107:T0800'
/** A query that names it. */
export const NAMING = `meta.attacks:"${REVOKED}"`
export const ATTACKS = ['TA0001:T1566', 'TA0002:T1059.001', 'enterprise-attack', REVOKED] as const

/** A group, the source with the same number, and what its members may see. */
export interface Group {
  readonly name: string
  readonly source: string
  /** Whether the source is that of an enricher. Only the writer is a member then, who writes what the enricher found. */
  readonly isEnrichers: boolean
  readonly members: readonly Viewer[]
  readonly allows: readonly { readonly source: string; readonly upTo: (typeof ALLOWED)[number] }[]
}

/** One state of an entity; the last one is the current one. */
export interface State {
  readonly source: string
  readonly colour: Colour
  readonly tags: readonly string[]
  readonly taxonomies: readonly string[]
  readonly attacks: readonly string[]
  readonly observables: readonly string[]
  /** The verdict on its observables. */
  readonly verdict: Verdict | undefined
}

export interface Entity {
  readonly name: string
  readonly type: string
  readonly states: readonly [State, ...State[]]
  readonly attachments: readonly string[]
  readonly datasets: readonly string[]
  /** A STIX id in its data that was never sent as an object. */
  readonly refersTo: string | null
  /** The entities that it unifies; none if it is an ordinary one. */
  readonly unifies: readonly string[]
}

/** An entity of which only the STIX id is known. It is as visible as the first object that referred to it. */
export interface Stub {
  readonly name: string
  readonly source: string
  readonly colour: Colour
}

export interface Relationship {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly key: string
  readonly isUpdate: boolean
  readonly sources: readonly string[]
  readonly colour: Colour
}

export interface Observable {
  readonly name: string
  readonly type: (typeof OBSERVABLE_TYPES)[number]
  readonly sources: readonly string[]
  /** The verdicts of its sources, in their order. */
  readonly verdicts: readonly (Verdict | undefined)[]
}

export interface Attachment {
  readonly name: string
  readonly creator: Viewer | 'writer'
  /** Two attachments may have the same content. */
  readonly content: string
}

export interface Workspace {
  readonly name: string
  readonly isPublic: boolean
  readonly collaborators: readonly Viewer[]
  readonly groups: readonly string[]
  readonly entities: readonly string[]
}

export interface Dataset {
  readonly name: string
  /** Which entities it has; null if these are linked. */
  readonly query: string | null
  readonly workspaces: readonly string[]
}

export interface Ticket {
  readonly name: string
  readonly workspaces: readonly string[]
  readonly entities: readonly string[]
}

/** An analysis of an attack framework. Everybody sees it, but of its scope only the entities and datasets that they see. */
export interface Analysis {
  readonly name: string
  readonly datasets: readonly string[]
  readonly entities: readonly string[]
  /** The techniques in its layer; null if it has none. */
  readonly layer: readonly string[] | null
}

/** An annotation of a node in an analysis. */
export interface Annotation {
  readonly name: string
  readonly analysis: string
  readonly node: string
}

/** Users with their groups, and all objects, seen or not. */
export interface World {
  readonly seed: number
  readonly groups: readonly Group[]
  /** Viewers with so many allowed sources that these are looked up in another way. */
  readonly farSighted: readonly Viewer[]
  readonly entities: readonly Entity[]
  readonly stubs: readonly Stub[]
  readonly relationships: readonly Relationship[]
  readonly observables: readonly Observable[]
  readonly attachments: readonly Attachment[]
  readonly workspaces: readonly Workspace[]
  readonly datasets: readonly Dataset[]
  readonly tickets: readonly Ticket[]
  readonly analyses: readonly Analysis[]
  readonly annotations: readonly Annotation[]
  readonly holdings: Holdings
}
