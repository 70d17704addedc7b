/** The matrices that can be loaded. */
export const MATRICES = ['enterprise-attack', 'mobile-attack', 'ics-attack', 'DISARM'] as const

/** The id of a matrix, and the name of its domain. */
export type Matrix = (typeof MATRICES)[number]

export const NODE_TYPES = ['matrix', 'tactic', 'technique', 'subtechnique'] as const
export type NodeType = (typeof NODE_TYPES)[number]

/** Dead nodes are kept, because something may refer to them. */
export const NODE_STATES = ['live', 'revoked', 'deprecated'] as const
export type NodeState = (typeof NODE_STATES)[number]

export const DEFENSE_TYPES = ['analytic', 'data-component', 'detection-strategy', 'mitigation'] as const
export type DefenseType = (typeof DEFENSE_TYPES)[number]

/** Where an object is described elsewhere. */
export interface ExternalReference {
  readonly source_name: string
  readonly external_id?: string
  readonly url?: string
  readonly description?: string
}

/** A place in a matrix. A technique has one below each of its tactics. */
export interface FrameworkNode {
  /** For example `TA0001:T1566.001`. */
  readonly id: string
  readonly type: NodeType
  /** Null for the matrix. */
  readonly parent: string | null
  readonly name: string
  readonly description: string
  /** The order among the nodes of its parent; those of dead nodes come last. */
  readonly position: number
  readonly platforms: readonly string[]
  readonly stix_id: string
  /** For example `T1566.001`. */
  readonly external_id: string
  /** The name of a tactic in other documents, for example `initial-access`; null for other nodes. */
  readonly short_name: string | null
  readonly external_references: readonly ExternalReference[]
  readonly state: NodeState
  /** The live nodes that took the place of a dead one. */
  readonly successors: readonly string[]
}

/** A mitigation, or a way to detect something. */
export interface FrameworkDefense {
  readonly stix_id: string
  readonly type: DefenseType
  /** For example `M1031`. */
  readonly external_id: string
  readonly name: string
  readonly description: string
  readonly external_references: readonly ExternalReference[]
  /** Only of analytics. */
  readonly platforms: readonly string[]
  /** What users adapt; only of analytics. */
  readonly mutable_elements: readonly { readonly field: string; readonly description: string }[]
}

/** A defense against a technique, in all places of the technique. */
export interface FrameworkLink {
  readonly type: 'mitigates' | 'detects'
  /** The STIX id of a defense. */
  readonly defense: string
  /** The external id of a technique. */
  readonly technique: string
  readonly description: string
}

/** How a group, a campaign or a program used a technique, as the publisher tells it. */
export interface FrameworkProcedure {
  /** The external id of a technique. */
  readonly technique: string
  /** Plain text. */
  readonly text: string
}

/** How one defense needs another: STIX ids. Only log sources have a name and a channel. */
export interface FrameworkInnerLink {
  readonly type: 'analytic-references' | 'log-source-references'
  readonly from: string
  readonly to: string
  readonly name: string | null
  readonly channel: string | null
}

/** One version of a matrix, with everything in it. */
export interface Framework {
  readonly matrix: Matrix
  /** For example `18.1`; null if the document does not say. */
  readonly version: string | null
  /** Parents come before their children. */
  readonly nodes: readonly FrameworkNode[]
  readonly defenses: readonly FrameworkDefense[]
  readonly links: readonly FrameworkLink[]
  readonly inner_links: readonly FrameworkInnerLink[]
  /** Only in official bundles; the facts that come with the product have no texts. */
  readonly procedures?: readonly FrameworkProcedure[]
  /** What the publisher asks to be shown with its texts. */
  readonly notice: string
}
